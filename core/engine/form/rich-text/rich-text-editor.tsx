import { Editor } from '@tiptap/core'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react'
import { useClient } from '../../../client/providers.tsx'
import { upload } from '../../../contract/common/upload.ts'
import { useText } from '../../../element/i18n.ts'
import { useSheet } from '../../../element/styles.ts'
import { extensionOf, fileProblem, imageExtensions, purposes } from '../../../rules/upload.ts'
import type { Tied } from '../../../ui/labelled.tsx'
import { ChosenFile } from '../../files/chosen-file.tsx'
import files from '../../files/files.css?sheet'
import { Sendings } from '../../files/sendings.ts'
import rich from './rich-text.css?sheet'
import sheet from './rich-text-editor.css?sheet'
import { pictureNode } from './rich-text-picture.ts'
import { isLink, PictureLine, RichTextTools } from './rich-text-tools.tsx'

type Props = { tied: Tied; lang: string; value: string | undefined; onChange: (html: string | undefined) => void }

/** Addresses of the pictures of one editor; they end with it. */
const usePictures = () => {
  const client = useClient()
  const made = useRef(new Map<string, Promise<string | null>>())
  useEffect(() => {
    const all = made.current
    return () => {
      for (const one of all.values()) void one.then(address => address && URL.revokeObjectURL(address))
      all.clear()
    }
  }, [])
  return (uploadNo: string) => {
    const known = made.current.get(uploadNo)
    if (known) return known
    const address = client.file(upload.file, { uploadNo }).then(
      blob => URL.createObjectURL(blob),
      () => null,
    )
    made.current.set(uploadNo, address)
    return address
  }
}

/** Files on their way into the text; each is put in where the caret is once it is there. */
const useSendings = (put: (uploadNo: string, name: string) => void) => {
  const client = useClient()
  const [sendings] = useState(() => new Sendings(client, 'image'))
  const all = useSyncExternalStore(sendings.subscribe, sendings.read)
  useEffect(() => sendings.removeAll, [sendings])
  useEffect(() => {
    for (const one of all)
      if (one.is === 'ready') {
        put(one.uploadNo, one.file.name.replace(/\.[^.]+$/, ''))
        sendings.remove(one.id)
      }
  })
  const take = (file: File) => {
    const problem = fileProblem(purposes.image, { fileName: file.name, size: file.size })
    if (problem) sendings.refuse(file, problem)
    else sendings.add(file)
  }
  return { all, take, sendings }
}

type Loader = ReturnType<typeof usePictures>

const extensionsOf = (load: Loader) => [
  StarterKit.configure({
    heading: { levels: [3, 4] },
    code: false,
    codeBlock: false,
    horizontalRule: false,
    link: { openOnClick: false, protocols: ['https'], defaultProtocol: 'https', isAllowedUri: isLink },
  }),
  pictureNode(load),
]

const attributesOf = (tied: Tied, lang: string) => ({
  id: tied.id,
  lang,
  class: 'mk-rich',
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-labelledby': tied['aria-labelledby'],
  'data-field': '',
})

/** The editor in its place; it is made once, of what was given first. */
const useEditor = ({ tied, lang, value, onChange }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  const changed = useRef(onChange)
  changed.current = onChange
  const [editor, setEditor] = useState<Editor | null>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const load = usePictures()
  const first = useRef({ value, load, tied, lang })

  useEffect(() => {
    const { value, load, tied, lang } = first.current
    const made = new Editor({
      element: place.current,
      injectCSS: false,
      content: value ?? '',
      extensions: extensionsOf(load),
      editorProps: { attributes: attributesOf(tied, lang) },
      onTransaction: redraw,
      onUpdate: ({ editor }) => changed.current(editor.isEmpty ? undefined : editor.getHTML()),
    })
    setEditor(made)
    return () => made.destroy()
  }, [])

  return { editor, place }
}

/** Edits rich text of few tags: what is formatted, links of `https`, and pictures, which are sent at once. Its value is HTML, or nothing. */
export const RichTextEditor = ({ tied, lang, value, onChange }: Props) => {
  useSheet(rich)
  useSheet(files)
  useSheet(sheet)
  const t = useText()
  const { editor, place } = useEditor({ tied, lang, value, onChange })
  const { all, take, sendings } = useSendings((uploadNo, name) => {
    editor
      ?.chain()
      .focus()
      .insertContent({ type: 'picture', attrs: { upload: uploadNo, alt: name } })
      .run()
  })
  return (
    <div
      className="mk-editor"
      data-invalid={tied['aria-invalid']}
      aria-describedby={tied['aria-describedby']}
      onPaste={event => {
        const pictures = [...event.clipboardData.files].filter(file =>
          (imageExtensions as readonly string[]).includes(extensionOf(file.name)),
        )
        for (const file of pictures) take(file)
      }}
    >
      {editor && <RichTextTools editor={editor} take={take} />}
      {editor?.isActive('picture') && <PictureLine editor={editor} />}
      <div ref={place} />
      <div className="mk-editor-files" role="group" aria-label={t('announcement.picture')}>
        {all.map(one => (
          <ChosenFile
            key={one.id}
            chosen={one}
            again={() => sendings.send(one.id)}
            remove={() => sendings.remove(one.id)}
          />
        ))}
      </div>
    </div>
  )
}
