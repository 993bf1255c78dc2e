declare module '*.css?sheet' {
  const sheet: CSSStyleSheet
  export default sheet
}

declare module 'virtual:radix-themes' {
  /** What every list needs, then the sheet that `virtual:radix-more` fills, then spaces and sizes, which come last. */
  const sheets: readonly [first: CSSStyleSheet, more: CSSStyleSheet, layout: CSSStyleSheet]
  export default sheets
}

declare module 'virtual:radix-more' {}
