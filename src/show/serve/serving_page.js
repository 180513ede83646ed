"use strict";
(function () {
	var live = document.getElementById("live"), pause = document.getElementById("pause");
	var lost = document.getElementById("lost"), ms = live.dataset.seconds * 1000;
	function parts() {
		return Array.from(live.querySelectorAll("summary, details, [tabindex]"));
	}
	// What a reader has opened, scrolled and chosen stays.
	function replace(fresh) {
		var before = parts().map(function (part) {
			return {open: part.open, left: part.scrollLeft, active: part === document.activeElement};
		});
		live.replaceChildren.apply(live, Array.from(fresh.childNodes));
		parts().forEach(function (part, i) {
			if (!before[i]) return;
			if (before[i].open) part.open = true;
			part.scrollLeft = before[i].left;
			if (before[i].active) part.focus({preventScroll: true});
		});
	}
	function say(text) {
		if (lost.textContent !== text) lost.textContent = text;
		lost.className = text ? "flag bad" : "off";
	}
	function waits() {
		var selection = getSelection();
		return document.hidden || pause.getAttribute("aria-pressed") === "true" ||
			(selection.type === "Range" && live.contains(selection.anchorNode));
	}
	function next() {
		setTimeout(refresh, ms);
	}
	function refresh() {
		if (waits()) return next();
		fetch("/", {cache: "no-store", signal: AbortSignal.timeout(10000)}).then(function (answer) {
			return answer.text();
		}).then(function (text) {
			var fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
			if (fresh && !waits()) replace(fresh);
			say("");
		}).catch(function () {
			say("cxlmon does not answer: what follows is of the time that it names.");
		}).finally(next);
	}
	pause.className = "";
	pause.addEventListener("click", function () {
		pause.setAttribute("aria-pressed", pause.getAttribute("aria-pressed") !== "true");
	});
	next();
}());
