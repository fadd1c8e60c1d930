// Translation, by the catalogue that the server sends (Django's JavaScriptCatalog). Without it the page speaks English.

const catalogue = globalThis.django ?? {};

export const gettext = (text) => catalogue.gettext?.(text) ?? text;

export const ngettext = (singular, plural, count) =>
  catalogue.ngettext?.(singular, plural, count) ?? (count === 1 ? singular : plural);

/** Put `values` where `text` names them: `%(count)s`. */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
