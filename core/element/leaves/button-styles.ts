import { css } from 'lit'

/** An 18 px icon button whose styles no host page can change. */
export const buttonStyles = css`
  :host {
    display: inline-flex !important;
    align-items: center;
    gap: 4px;
    vertical-align: middle;
  }
  :host([hidden]) {
    display: none !important;
  }
  button {
    all: unset;
    box-sizing: border-box;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    width: 18px;
    height: 18px;
    border-radius: 3px;
    color: var(--gray-10, #80838d);
    cursor: pointer;
  }
  button[data-words] {
    width: auto;
    padding: 0 2px;
    color: var(--accent-11, #0c7d70);
    font-size: 12px;
    white-space: nowrap;
  }
  button:hover {
    background: rgb(0 0 51 / 6%);
    color: var(--gray-12, #1c2024);
  }
  button:focus-visible {
    outline: 2px solid var(--focus-8, #0c7d70);
  }
`
