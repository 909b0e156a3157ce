// @ts-check
// The page of the menu that changes the language. It loads the room again.

import { byId, h } from "../lib/virtual_dom.js";

/** Return the languages of the server: code, name and direction. The list is empty if there is no choice. @returns {[string, string, string][]} */
const languages = () => JSON.parse(byId("room").dataset.languages ?? "[]");

/** Tell whether the server has several languages. */
export const isLanguageChoice = () => languages().length > 0;

/** Draw a button for each language. */
export function languagesPage() {
  return [
    h(
      "form",
      { key: "languages", method: "post", action: "/language", class: "menu-list" },
      languages().map(([language, name, dir]) => {
        const now = language === document.documentElement.lang;
        return h(
          "button",
          {
            key: language,
            type: "submit",
            class: "menu-row",
            name: "language",
            value: language,
            lang: language,
            dir,
            "aria-current": now ? "true" : undefined,
          },
          name,
          now ? h("span", { "aria-hidden": "true" }, "✓") : null,
        );
      }),
    ),
  ];
}
