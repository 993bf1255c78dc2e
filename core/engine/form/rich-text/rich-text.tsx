import { createElement, Fragment, type ReactNode, useMemo } from 'react'
import { useText } from '../../../element/i18n.ts'
import { useSheet } from '../../../element/styles.ts'
import { useFile } from '../../files/use-file.ts'
import sheet from './rich-text.css?sheet'

const tags = new Set(['p', 'b', 'strong', 'i', 'em', 'u', 's', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote'])

/** A picture that was sent as a file, fetched with the rights of the reader. */
const Picture = ({ uploadNo, alt }: { uploadNo: string; alt: string }) => {
  const t = useText()
  const address = useFile(uploadNo)
  if (address === null) return <em>{t('announcement.pictureLost')}</em>
  return address ? <img src={address} alt={alt} /> : <span className="mk-rich-wait" />
}

const drawn = (node: Node, key: number): ReactNode => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'br') return <br key={key} />
  const uploadNo = name === 'img' && node.getAttribute('data-upload')
  if (uploadNo) return <Picture key={key} uploadNo={uploadNo} alt={node.getAttribute('alt') ?? ''} />
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
export const RichText = ({ html, lang }: { html: string; lang?: string }) => {
  useSheet(sheet)
  const nodes = useMemo(
    () => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map(drawn),
    [html],
  )
  return (
    <div className="mk-rich" lang={lang}>
      {nodes}
    </div>
  )
}
