// Menus are <details>, which open and close without a script. This closes them on Escape and on clicks outside.

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
