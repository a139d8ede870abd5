// Rules for the scripts of the pages, in addition to their types.

import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["**/pyodide-*/", "**/idb-*"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-len": ["error", 120],
      "no-restricted-syntax": ["error", {
        selector: "AwaitExpression:not(:function AwaitExpression)",
        message: "WebKit runs no module that imports an awaiting one in two ways (bug 242740).",
      }],
      "no-shadow": ["error", { builtinGlobals: false }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: true, variables: false }],
      "prefer-const": "error",
    },
  },
];
