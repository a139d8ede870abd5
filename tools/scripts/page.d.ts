// What a script finds in a page. The kind of an element stands in a template, where the checker can't see it: here it
// has what the scripts use of any kind, and nothing else. Of an event the same holds.

interface Found extends HTMLElement {
  checked: boolean;
  content: DocumentFragment;
  defaultValue: string;
  disabled: boolean;
  elements: any;
  files: FileList;
  form: HTMLFormElement;
  href: string;
  max: string | number;
  name: string;
  open: boolean;
  search: string;
  type: string;
  value: any;
  close(): void;
  select(): void;
  setSelectionRange(start: number, end: number): void;
  showModal(): void;
  submit(): void;
}

type Listen = (type: string, listener: (event: any) => unknown, options?: AddEventListenerOptions) => void;

interface ParentNode {
  querySelector(selectors: string): Found | null;
  querySelectorAll(selectors: string): NodeListOf<Found>;
}

interface Document {
  getElementById(id: string): Found | null;
  addEventListener(...listen: Parameters<Listen>): void;
}

interface Element {
  cloneNode(deep?: boolean): Found;
  closest(selectors: string): Found | null;
  addEventListener(...listen: Parameters<Listen>): void;
}

interface HTMLElement {
  addEventListener(...listen: Parameters<Listen>): void;
}

interface HTMLFormElement {
  addEventListener(...listen: Parameters<Listen>): void;
}

declare function addEventListener(...listen: Parameters<Listen>): void;

// What the modules of the board share.
interface BoardPage {
  /** The board on the screen: see `deal.js`. */
  board: any;
  /** Its part on the screen: setup, hands, play. */
  stage: string;
  /** Its places and cards before the play, as the engine has them. */
  starts: any;
  /** The names of the cards by their codes. */
  cardNames: Map<string, string>;
  /** Of several cards or items: those that are chosen so far. */
  picked: string[];
  /** A card that may be played in more than one manner, while the manner is chosen. */
  twice: string;
  /** The change that is under way. */
  running: Promise<any>;
  /** Why what waits is not entered by itself. */
  held: string;
  /** Whether the result lies over the table. */
  resultOpen: boolean;
  /** Attributes of a folded part that stays open when the page is drawn again. */
  folded: (name: string) => Record<string, any>;
  /** Draws the page. */
  show: () => any;
  /** Tells a screen reader. */
  hear: (words: string) => void;
  openSending: () => void;
  /** The parts of the panel. */
  panelParts: () => Record<string, any>;
  /** Of another card: what the page knows of the deal. */
  trial: any;
  /** Of another card: whether all hands may be seen. */
  opened: boolean;
  variation: (line: string) => any;
  variationsPart: () => any;
  comparePart: () => any;
  branch: (event: string[]) => any;
  judgeLines: () => Promise<void>;
  storeTree: () => void;
  openView: () => any;
  beginTrial: () => void;
  prepareTrial: () => Promise<void>;
}

// What the modules of an evening share.
interface EveningPage {
  /** The deal that is being entered, or null. */
  form: any;
  /** The evening on the screen, and its deal. */
  here: { key: string, deal: number };
  /** Draws the page. */
  show: () => Promise<void>;
}
