# SPDX-License-Identifier: BSD-3-Clause
# nix-build packaging/cxlmon.nix
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "cxlmon";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../.;
  nativeBuildInputs = with pkgs; [ pkg-config python3 ];
  buildInputs = with pkgs; [ elfutils jansson libcap_ng libmicrohttpd libseccomp ncurses pciutils zlib ];
  postPatch = "patchShebangs tools";
  makeFlags = [
    "PREFIX=$(out)"
    "UNITDIR=$(out)/lib/systemd/system"
    "PYTHONDIR=$(out)/${pkgs.python3.sitePackages}"
    "WERROR="
  ];
  # which the program loads when a screen, or names of functions are wanted
  postFixup = "patchelf --add-rpath ${pkgs.ncurses}/lib:${pkgs.lib.getLib pkgs.elfutils}/lib $out/bin/cxlmon";
  meta = {
    description = "Live bandwidth, latency and errors of CXL memory ports";
    license = pkgs.lib.licenses.bsd3;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
  };
}
