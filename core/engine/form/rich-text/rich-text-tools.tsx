import type { Editor } from '@tiptap/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useText } from '../../../element/i18n.ts'
import { imageExtensions } from '../../../rules/upload.ts'
import { Button, Text, TextField } from '../../../ui/basics.ts'

type Key = Parameters<ReturnType<typeof useText>>[0]
type Tool = { label: Key; face: ReactNode; on?: boolean; press: () => void; off?: boolean }

/** Whether somebody may lead readers to an address. */
export const isLink = (text: string) => /^https:\/\/[^\s]+$/i.test(text) && URL.canParse(text)

const toolsOf = (editor: Editor): Tool[] => {
  const run = () => editor.chain().focus()
  return [
    { label: 'announcement.bold', face: <b>B</b>, on: editor.isActive('bold'), press: () => run().toggleBold().run() },
    {
      label: 'announcement.italic',
      face: <i>I</i>,
      on: editor.isActive('italic'),
      press: () => run().toggleItalic().run(),
    },
    {
      label: 'announcement.underline',
      face: <u>U</u>,
      on: editor.isActive('underline'),
      press: () => run().toggleUnderline().run(),
    },
    {
      label: 'announcement.strike',
      face: <s>S</s>,
      on: editor.isActive('strike'),
      press: () => run().toggleStrike().run(),
    },
    {
      label: 'announcement.heading',
      face: 'H',
      on: editor.isActive('heading'),
      press: () => run().toggleHeading({ level: 3 }).run(),
    },
    {
      label: 'announcement.bullets',
      face: '•',
      on: editor.isActive('bulletList'),
      press: () => run().toggleBulletList().run(),
    },
    {
      label: 'announcement.numbers',
      face: '⒈',
      on: editor.isActive('orderedList'),
      press: () => run().toggleOrderedList().run(),
    },
    {
      label: 'announcement.quote',
      face: '“',
      on: editor.isActive('blockquote'),
      press: () => run().toggleBlockquote().run(),
    },
    { label: 'announcement.undo', face: '↶', off: !editor.can().undo(), press: () => run().undo().run() },
    { label: 'announcement.redo', face: '↷', off: !editor.can().redo(), press: () => run().redo().run() },
  ]
}

/** Arrow keys go through the tools, as a toolbar does. */
const byArrows = ({ key, currentTarget, target }: KeyboardEvent<HTMLElement>) => {
  const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  if (!by) return
  const all = [...currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')]
  all.at((all.indexOf(target as HTMLButtonElement) + by) % all.length)?.focus()
}

const ToolButton = ({ label, face, on, off, press }: Tool) => {
  const words = useText()(label)
  return (
    <Button
      type="button"
      size="1"
      color="gray"
      variant={on ? 'solid' : 'ghost'}
      m="0"
      disabled={off}
      aria-label={words}
      aria-pressed={on}
      title={words}
      onMouseDown={event => event.preventDefault()}
      onClick={press}
    >
      {face}
    </Button>
  )
}

/** The address of the link at the caret: set, changed or taken away. */
const useLink = (editor: Editor, close: () => void) => {
  const present = String(editor.getAttributes('link').href ?? '')
  const [address, setAddress] = useState(present || 'https://')
  const [wrong, setWrong] = useState(false)
  const set = () => {
    if (!isLink(address.trim())) return setWrong(true)
    const link = { href: new URL(address.trim()).href }
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !present)
      chain.insertContent({ type: 'text', text: link.href, marks: [{ type: 'link', attrs: link }] }).run()
    else chain.setLink(link).run()
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    set()
  }
  const type = (text: string) => {
    setAddress(text)
    setWrong(false)
  }
  return { present, address, type, wrong, set, onKeyDown }
}

/** The line in which the address of a link stands. */
const LinkLine = ({ editor, close }: { editor: Editor; close: () => void }) => {
  const t = useText()
  const { present, address, type, wrong, set, onKeyDown } = useLink(editor, close)
  return (
    <div className="mk-editor-line">
      <TextField.Root
        size="1"
        type="url"
        autoFocus
        value={address}
        aria-label={t('announcement.linkAddress')}
        aria-invalid={wrong || undefined}
        onKeyDown={onKeyDown}
        onChange={event => type(event.target.value)}
      />
      {wrong && (
        <Text size="1" color="red" role="alert">
          {t('announcement.linkWrong')}
        </Text>
      )}
      <Button type="button" size="1" onClick={set}>
        {t('announcement.setLink')}
      </Button>
      {present && (
        <Button
          type="button"
          size="1"
          variant="soft"
          color="gray"
          onClick={() => {
            editor.chain().focus().extendMarkRange('link').unsetLink().run()
            close()
          }}
        >
          {t('announcement.removeLink')}
        </Button>
      )}
      <Button type="button" size="1" variant="ghost" color="gray" m="0" onClick={close}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}

/** What the chosen picture shows, in words. */
export const PictureLine = ({ editor }: { editor: Editor }) => {
  const t = useText()
  const put = (event: FormEvent<HTMLInputElement>) =>
    editor.commands.updateAttributes('picture', { alt: event.currentTarget.value })
  return (
    <div className="mk-editor-line">
      <TextField.Root
        size="1"
        maxLength={200}
        value={String(editor.getAttributes('picture').alt ?? '')}
        aria-label={t('announcement.pictureAlt')}
        placeholder={t('announcement.pictureAlt')}
        onChange={put}
      />
    </div>
  )
}

/** The toolbar of an editor of rich text. */
export const RichTextTools = ({ editor, take }: { editor: Editor; take: (file: File) => void }) => {
  const t = useText()
  const [linking, setLinking] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <div className="mk-editor-tools" role="toolbar" aria-label={t('announcement.tools')} onKeyDown={byArrows}>
        {toolsOf(editor).map(tool => (
          <ToolButton key={tool.label} {...tool} />
        ))}
        <ToolButton
          label="announcement.link"
          face={t('announcement.link')}
          on={editor.isActive('link')}
          press={() => setLinking(!linking)}
        />
        <ToolButton
          label="announcement.picture"
          face={t('announcement.picture')}
          press={() => input.current?.click()}
        />
        <input
          ref={input}
          type="file"
          hidden
          accept={imageExtensions.map(one => `.${one}`).join(',')}
          onChange={event => {
            for (const file of event.target.files ?? []) take(file)
            event.target.value = ''
          }}
        />
      </div>
      {linking && <LinkLine editor={editor} close={() => setLinking(false)} />}
    </>
  )
}
