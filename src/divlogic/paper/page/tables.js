"use strict";
// Long tables: a field that keeps the rows with its words, and heads that sort by their column.
const LONG = 12;
// A cell may hold the printed number and, right behind it, the measured one: the first counts.
const textOf = cell => [...cell?.childNodes ?? []].map(part => part.textContent.trim()).find(Boolean) ?? "";
const NUMBER = /^-?(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?!\w|\.\d)/;
const valueOf = text => { const found = text.replace("−", "-").match(NUMBER); return found ? Number(found[0].replaceAll(",", "")) : null; };

// Cells without a number come last, whichever way the numbers are sorted.
function compare(one, other, sign) {
  const [a, b] = [one, other].map(textOf), x = valueOf(a), y = valueOf(b);
  if (x !== null && y !== null) return sign * (x - y);
  if (x !== null || y !== null) return x === null ? 1 : -1;
  return sign * a.localeCompare(b);
}

function sort(table, place, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  table.querySelectorAll("[aria-sort]").forEach(each => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter(row => !row.matches(".divider"));
    rows.sort((one, other) => compare(one.cells[place], other.cells[place], down ? -1 : 1));
    body.append(...rows);
  }
}

for (const table of document.querySelectorAll("main .box:not(.figure) table")) {
  const rows = [...table.tBodies].flatMap(body => [...body.rows]).filter(row => !row.matches(".divider"));
  if (rows.length < LONG) continue;
  const heads = table.tHead.rows[table.tHead.rows.length - 1];
  [...heads.cells].forEach((head, place) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.title = "sort";
    button.addEventListener("click", () => sort(table, place, head));
    head.append(button);
  });
  const field = document.createElement("input");
  field.type = "search";
  field.className = "filter";
  field.placeholder = `filter ${rows.length} rows`;
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
  table.closest(".box").before(field);
}
