// Translation with the server's catalogue (Django's JavaScriptCatalog). Without it the page is English.

const catalogue = globalThis.django ?? {};

export const gettext = (text) => catalogue.gettext?.(text) ?? text;

export const ngettext = (singular, plural, count) =>
  catalogue.ngettext?.(singular, plural, count) ?? (count === 1 ? singular : plural);

/** Insert `values` into the placeholders of `text`: `%(count)s`. */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
}
