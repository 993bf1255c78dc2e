import { createElement, Fragment, type ReactNode, useMemo } from 'react'

const tags = new Set(['p', 'b', 'strong', 'i', 'em', 'u', 's', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote'])

const drawn = (node: Node, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'br') return <br key={key} />
  const children = [...node.childNodes].map(drawn)
  const href = name === 'a' ? (node.getAttribute('href') ?? '') : ''
  if (/^https:\/\//i.test(href))
    return (
      <a key={key} href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  return tags.has(name) ? createElement(name, { key }, ...children) : <Fragment key={key}>{children}</Fragment>
}

/** Rich text from the server, which has sanitised it; drawn from known tags once more, so that nothing of it is markup of the page. */
export const RichText = ({ html }: { html: string }) => {
  const nodes = useMemo(
    () => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(drawn),
    [html],
  )
  return <div className="mk-rich">{nodes}</div>
}
