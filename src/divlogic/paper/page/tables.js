"use strict";
// Long tables: a field that keeps the rows with its words, and heads that sort by their column.
const LONG = 12;
const textOf = cell => cell ? cell.textContent.trim() : "";
const valueOf = cell => { const number = parseFloat(textOf(cell).replace("−", "-")); return Number.isNaN(number) ? null : number; };

function compare(one, other) {
  const a = valueOf(one), b = valueOf(other);
  if (a !== null && b !== null) return a - b;
  if (a !== null || b !== null) return a === null ? 1 : -1;
  return textOf(one).localeCompare(textOf(other));
}

function sort(table, place, head) {
  const down = head.getAttribute("aria-sort") === "ascending";
  table.querySelectorAll("[aria-sort]").forEach(each => each.removeAttribute("aria-sort"));
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter(row => !row.matches(".divider"));
    rows.sort((one, other) => (down ? -1 : 1) * compare(one.cells[place], other.cells[place]));
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
