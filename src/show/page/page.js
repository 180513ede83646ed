"use strict";
(function () {
	var left = 42, right = 392, top = 8, bottom = 164, width = 400;
	var reduced = document.querySelector(".reduced");
	// The range of time that is shown, as positions while all of it is shown.
	var from = left, to = right;
	function element(name, attributes, parent) {
		var made = document.createElementNS("http://www.w3.org/2000/svg", name);
		Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
		return parent.appendChild(made);
	}
	var figures = Array.from(document.querySelectorAll("figure.time")).map(function (figure) {
		var svg = figure.querySelector("svg"), title = svg.querySelector("title");
		svg.setAttribute("aria-label", title.textContent);
		title.remove();
		return {
			figure: figure, svg: svg, x: +figure.dataset.x, y: +figure.dataset.y, low: +figure.dataset.from,
			cursor: element("path", {class: "cursor"}, svg),
			selection: element("path", {class: "selection"}, svg),
			group: svg.querySelector(".lines"), ticks: svg.querySelector(".ticks"),
			whole: Array.from(svg.querySelector(".ticks").childNodes),
			text: figure.querySelector("figcaption p"), help: figure.querySelector("figcaption p").textContent,
			all_help: figure.querySelector("figcaption p").textContent,
			values: figure.querySelectorAll(".legend b"),
			lines: figure.querySelectorAll("path.line"), points: null
		};
	});
	function grouped(parts) {
		parts[0] = parts[0].replace(/\B(?=(\d{3})+$)/g, "\u202f");
		return parts.join(".");
	}
	// Three significant digits; whole numbers in groups of three.
	function digits(value) {
		var parts = value.toFixed(value >= 100 || !value ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3).split(".");
		return grouped(parts);
	}
	function points(line) {
		return (line.getAttribute("d").match(/[\d.e+-]+ [\d.e+-]+/g) || []).map(function (pair) {
			return pair.split(" ").map(Number);
		});
	}
	function nearest(list, x) {
		var low = 0, high = list.length - 1, middle;
		while (high - low > 1) {
			middle = (low + high) >> 1;
			if (list[middle][0] < x) low = middle; else high = middle;
		}
		return Math.abs(list[low][0] - x) <= Math.abs(list[high][0] - x) ? list[low] : list[high];
	}
	function show(f, x) {
		var whole = from + (x - left) * (to - from) / (right - left);
		if (!f.points) f.points = Array.from(f.lines, points);
		f.cursor.setAttribute("d", "M" + x + " " + top + "L" + x + " " + bottom);
		f.points.forEach(function (list, i) {
			var point = list.length ? nearest(list, whole) : null;
			var known = point && Math.abs(point[0] - whole) < Math.max(3, 2 * (right - left) / list.length);
			f.values[i].textContent = known ?
				digits(f.low + (bottom - point[1]) / (bottom - top) * (f.y - f.low)) : "\u2013";
		});
		f.text.textContent = "at " + ((whole - left) / (right - left) * f.x).toPrecision(4) + " " +
			f.figure.dataset.xunit + ", in " + f.figure.dataset.unit;
	}
	function hide(f) {
		f.cursor.setAttribute("d", "");
		f.values.forEach(function (value) { value.textContent = ""; });
		f.text.textContent = f.help;
	}
	// A click on an entry of a legend shows its series alone, a second one all of them.
	function choose(figure, entries, chosen) {
		var alone = entries[chosen].getAttribute("aria-pressed") !== "true";
		entries.forEach(function (entry, i) {
			entry.setAttribute("aria-pressed", alone && i === chosen);
		});
		figure.querySelectorAll("[data-series]").forEach(function (mark) {
			mark.classList.toggle("off", alone && +mark.dataset.series !== chosen);
			mark.classList.toggle("alone", alone && +mark.dataset.series === chosen);
		});
	}
	document.querySelectorAll("figure.chart").forEach(function (figure) {
		var entries = figure.querySelectorAll(".legend li");
		if (entries.length < 2) return;
		figure.querySelector(".legend").setAttribute("role", "group");
		entries.forEach(function (entry, i) {
			entry.tabIndex = 0;
			entry.setAttribute("role", "button");
			entry.setAttribute("aria-pressed", "false");
			entry.addEventListener("click", function () { choose(figure, entries, i); });
			entry.addEventListener("keydown", function (event) {
				if (event.key !== "Enter" && event.key !== " ") return;
				event.preventDefault();
				choose(figure, entries, i);
			});
		});
	});
	// 1, 2 or 5 times a power of ten, about a fifth of the range.
	function step_of(range) {
		var power = Math.pow(10, Math.floor(Math.log10(range / 5)));
		return [1, 2, 5, 10].map(function (n) { return n * power; }).find(function (n) { return range / n <= 6; });
	}
	function draw_ticks(f) {
		var first = (from - left) / (right - left) * f.x, range = (to - from) / (right - left) * f.x;
		var step = step_of(range), decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), n, x;
		for (n = Math.ceil(first / step - 1e-9); n * step <= first + range * (1 + 1e-9); n++) {
			x = left + (n * step - first) / range * (right - left);
			element("path", {d: "M" + x + " " + bottom + "L" + x + " " + (bottom + 4)}, f.ticks);
			element("text", {x: x, y: bottom + 17, "text-anchor": "middle"}, f.ticks).textContent =
				grouped((n * step).toFixed(decimals).split("."));
		}
	}
	function zoom(start, end) {
		var scale, all = end - start >= right - left;
		from = start;
		to = end;
		scale = (right - left) / (to - from);
		figures.forEach(function (f) {
			f.group.setAttribute("transform", "matrix(" + scale + " 0 0 1 " + (left - from * scale) + " 0)");
			f.ticks.replaceChildren.apply(f.ticks, all ? f.whole : []);
			if (!all) draw_ticks(f);
			f.help = f.all_help + (all || !reduced ? "" : " (a part of it in full: cxlmon report --from, --to)");
		});
	}
	figures.forEach(function (f) {
		var begin = null;
		function position(event) {
			var box = f.svg.getBoundingClientRect();
			return Math.min(right, Math.max(left, (event.clientX - box.left) / box.width * width));
		}
		function select(x) {
			f.selection.setAttribute("d", begin === null ? "" :
				"M" + begin + " " + top + "H" + x + "V" + bottom + "H" + begin + "Z");
		}
		function move(event) {
			var x = position(event);
			figures.forEach(function (other) { show(other, x); });
			select(x);
		}
		function end(event) {
			var x = position(event), span = (to - from) / (right - left), start = begin;
			begin = null;
			select(x);
			// a click is no range; enlarged ten thousand times there is nothing more to see
			if (event.type !== "pointerup" || start === null || Math.abs(x - start) < 4 ||
				Math.abs(x - start) * span < (right - left) / 1e4) return;
			zoom(from + (Math.min(x, start) - left) * span, from + (Math.max(x, start) - left) * span);
			move(event);
		}
		f.svg.addEventListener("pointermove", move);
		f.svg.addEventListener("pointerdown", function (event) {
			if (event.button === 0) {
				begin = position(event);
				if (event.isTrusted) f.svg.setPointerCapture(event.pointerId);
			}
			move(event);
		});
		f.svg.addEventListener("pointerup", end);
		f.svg.addEventListener("pointercancel", end);
		f.svg.addEventListener("dblclick", function () { zoom(left, right); });
		f.svg.addEventListener("pointerleave", function () { figures.forEach(hide); });
	});
}());
