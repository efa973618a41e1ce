// Sorts the atlas' table by a column that is clicked, and shows the lines that have all words.
(() => {
  const table = document.getElementById("atlas");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, i) => {
    const text = row.cells[i].textContent;
    if (text === "inf") return Infinity;
    return text === "" ? -1 : isNaN(text) ? text : Number(text);
  };
  heads.forEach((head, i) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].map((row) => [value(row, i), row]);
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
    body.append(...rows.map(([, row]) => row));
  }));
  document.getElementById("atlas-filter").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) {
      const text = [...row.cells].slice(0, 4).map((c) => c.textContent).join(" ").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
})();
