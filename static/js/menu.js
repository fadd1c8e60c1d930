// Menus are <details>: they open and close without this. It closes them where people expect that.

export function connectMenus() {
  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(event.target) || event.target.closest(".menu__list a")) menu.open = false;
    }
  });
  document.addEventListener("focusin", (event) => {
    for (const menu of openMenus()) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && event.target.closest(".menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

function openMenus() {
  return document.querySelectorAll(".menu[open]");
}
