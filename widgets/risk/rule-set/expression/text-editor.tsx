import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { linter, lintKeymap } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap, tooltips } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { type Translate, useText } from '../../../../core/element/i18n.ts'
import { useSheet } from '../../../../core/element/styles.ts'
import { check } from '../../../../core/rules/risk/expression.ts'
import { coloured } from './colours.ts'
import { completions } from './completions.ts'
import sheet from './expression.css?sheet'

type Props = { label: string; describedBy: string; value: string; onChange: (text: string) => void }

const oneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')
const delayMs = 250

/** What is wrong, at its place, as it is typed. */
const flaws = (t: Translate) =>
  linter(
    view => {
      const text = view.state.doc.toString()
      const checked = text.trim() ? check(text) : null
      if (!checked || checked.ok) return []
      const { key, detail, start, end } = checked.flaw
      const { length } = view.state.doc
      const from = Math.min(start, Math.max(0, length - 1))
      const message = `${t.maybe(key) ?? key} – ${detail}`
      return [{ from, to: Math.min(Math.max(end, from + 1), length), severity: 'error' as const, message }]
    },
    { delay: delayMs },
  )

const extensions = (t: Translate, { label, describedBy }: Pick<Props, 'label' | 'describedBy'>) => [
  history(),
  closeBrackets(),
  coloured,
  autocompletion({ override: [completions(t)], icons: false }),
  flaws(t),
  // An expression is one line; Tab is bound to nothing, so that it leaves the editor.
  keymap.of([
    ...completionKeymap,
    { key: 'Enter', run: () => true },
    ...closeBracketsKeymap,
    ...historyKeymap,
    ...lintKeymap,
    ...defaultKeymap.filter(({ key }) => key !== 'Enter' && key !== 'Mod-Enter'),
  ]),
  tooltips({ position: 'fixed' }),
  EditorView.lineWrapping,
  EditorView.clipboardInputFilter.of(oneLine),
  EditorState.phrases.of({ Completions: t('ruleSet.completions') }),
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-describedby': describedBy,
    'data-field': '',
    spellcheck: 'false',
  }),
]

/** The text of an expression in colours, with facts to choose from and what is wrong at its place. */
export const TextEditor = ({ label, describedBy, value, onChange }: Props) => {
  const t = useText()
  useSheet(sheet)
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changed = useRef(onChange)
  changed.current = onChange
  const first = useRef(value)
  first.current = value
  useEffect(() => {
    const parent = place.current as HTMLDivElement
    const made = new EditorView({
      parent,
      root: parent.getRootNode() as ShadowRoot,
      state: EditorState.create({
        doc: oneLine(first.current),
        extensions: [
          ...extensions(t, { label, describedBy }),
          EditorView.updateListener.of(update => {
            if (update.docChanged) changed.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [t, label, describedBy])
  useEffect(() => {
    const shown = view.current
    if (!shown || shown.state.doc.toString() === value) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: oneLine(value) } })
  }, [value])
  return (
    <div
      ref={place}
      className="mk-ex"
      onKeyDown={event => {
        if (event.key === 'Escape') event.stopPropagation()
      }}
    />
  )
}
