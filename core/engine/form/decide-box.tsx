import type { ReactNode } from 'react'
import type { SharedMark } from '../../contract/common/approval.ts'
import { type Translate, useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import type { Key } from '../../i18n/index.ts'
import { Button, Callout, Flex, Text, TextField } from '../../ui/basics.ts'
import { useKept } from '../../ui/kept.ts'
import { useUnsaved } from '../../ui/unsaved.ts'
import sheet from '../engine.css?sheet'
import { listed } from '../table/columns.ts'

/** The warning to who decides for an account that has these in common with their own. */
export const samePersonText = (t: Translate, marks: readonly SharedMark[]): string =>
  t('common.samePerson', {
    marks: listed(
      t,
      marks.map(mark => t(`common.shared.${mark}`)),
    ),
  })

type Props = {
  /** What somebody asks for, and below it when and by whom. */
  title: string
  asked: string
  /** What would change. */
  children: ReactNode
  /** What the reader may say to it; nothing where the decision is not theirs. */
  decide: ((result: 'approve' | 'reject', note: string) => void) | undefined
  /** What the note is called, without which nothing is refused. */
  noteLabel: Key
  busy: boolean
  /** What the reader should know before deciding. */
  warning?: string
  /** Agreeing is not open to the reader, for the reason in `warning`. */
  barred?: boolean
  /** Further ways, behind those of the decision. */
  also?: ReactNode
}

/** Something that waits for a second person: agreed to with a press, refused with a note of up to 30 characters. */
export const DecideBox = ({ title, asked, children, decide, noteLabel, busy, warning, barred, also }: Props) => {
  useSheet(sheet)
  const t = useText()
  const [note, setNote] = useKept(`note/${asked}`, '')
  useUnsaved(note !== '')
  return (
    <Callout.Root color="amber" size="1" mb="3">
      <Text as="div" size="2" className="mk-approval">
        <b>{title}</b> · {asked}
        <ul className="mk-changes">{children}</ul>
        {warning && (
          <Text as="p" size="2" color="red" mb="2">
            {warning}
          </Text>
        )}
        <Flex gap="2" align="center" wrap="wrap">
          {decide && (
            <>
              <Button
                size="1"
                loading={busy}
                disabled={barred}
                title={barred ? warning : undefined}
                onClick={() => decide('approve', note.trim())}
              >
                {t('actions.approve')}
              </Button>
              <TextField.Root
                size="1"
                value={note}
                maxLength={30}
                placeholder={t(noteLabel)}
                aria-label={t(noteLabel)}
                onChange={event => setNote(event.target.value)}
              />
              <Button
                size="1"
                variant="soft"
                color="red"
                disabled={!note.trim()}
                loading={busy}
                onClick={() => decide('reject', note.trim())}
              >
                {t('actions.reject')}
              </Button>
            </>
          )}
          {also}
        </Flex>
      </Text>
    </Callout.Root>
  )
}
