// Elements that a script finds in a page. The type checker can't see the templates, which determine the type of each
// element, so this type has only the members that the scripts use, of any element type. Events have a similar type.

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
  selectionEnd: number;
  selectionStart: number;
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

// State and functions that the modules of the board share.
interface BoardPage {
  /** The board on the screen; see `deal.js`. */
  board: any;
  /** The stage shown on the screen: setup, hands or play. */
  stage: string;
  /** The engine's answer about the places and the cards before the play. */
  starts: any;
  /** Card code → name. */
  cardNames: Map<string, string>;
  /** Cards or items chosen so far, when the user must choose several. */
  picked: string[];
  /** Card that can be played in several ways, while the user chooses one. */
  twice: string;
  /** The change in progress. */
  running: Promise<any>;
  /** Reason why a pending event is not entered automatically. */
  held: string;
  /** Whether the result covers the table. */
  resultOpen: boolean;
  /** Attributes of a collapsible part that stays open when the page is drawn again. */
  folded: (name: string) => Record<string, any>;
  /** Draws the page. */
  show: () => void;
  /** Draws the page after the current event. */
  showLater: () => void;
  /** Announces a text to screen readers. */
  hear: (words: string) => void;
  openSending: () => void;
  /** The parts of the panel. */
  panelParts: () => Record<string, any>;
  /** State of the deal while the user tries another card. */
  trial: any;
  /** Whether all hands are visible while the user tries another card. */
  opened: boolean;
  variation: (line: string) => any;
  variationsPart: () => any;
  comparePart: () => any;
  aboutPart: () => any;
  takeBack: () => void;
  branch: (event: string[]) => any;
  judgeLines: () => Promise<void>;
  storeTree: () => void;
  openView: () => any;
  beginTrial: () => void;
  prepareTrial: () => Promise<void>;
}

// State and functions that the modules of an evening share.
interface EveningPage {
  /** The deal that is being entered, or null. */
  form: any;
  /** Seats the players of the deal in the form differently. */
  reseat: (seats: any, follow: boolean) => void;
  /** Sends what waits on this phone. */
  send: () => Promise<void>;
  /** Key of the evening on the screen, and number of its deal. */
  here: { key: string, deal: number };
  /** Draws the page. */
  show: () => Promise<void>;
  /** Opens what the address names. */
  go: () => Promise<void>;
  /** Enters a tap. The function returns the tap (`tarock.view.entry.sheet_form.Tap`) when its turn comes. */
  tap: (find: () => any) => void;
}
