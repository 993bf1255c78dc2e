declare module '*.css?sheet' {
  const sheet: CSSStyleSheet
  export default sheet
}

declare module 'virtual:radix-themes' {
  const sheet: CSSStyleSheet
  export default sheet
}
