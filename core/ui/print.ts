const sheet = `body{font:12px sans-serif;color:#000}table{border-collapse:collapse;width:100%}th,td{border:1px solid #888;padding:5px;text-align:left}
section{break-inside:avoid-page}h2,h3{margin:14px 0 6px}button,svg{display:none}dl{columns:2;margin:0}dl>div{display:flex;gap:8px;break-inside:avoid}dt{color:#444;min-width:11em}dd{margin:0}`

/** Prints a part of the page alone, on paper of its own, without its buttons; `more` are further rules of style. */
export const print = (part: HTMLElement, title: string, more = '') => {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const { contentDocument, contentWindow } = frame
  if (!contentDocument || !contentWindow) return frame.remove()
  contentDocument.title = title
  const style = contentDocument.createElement('style')
  style.textContent = sheet + more
  contentDocument.head.append(style)
  contentDocument.body.append(contentDocument.importNode(part, true))
  contentWindow.addEventListener('afterprint', () => frame.remove())
  contentWindow.print()
}
