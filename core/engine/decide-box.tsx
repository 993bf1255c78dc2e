import { type ReactNode, useState } from 'react'
import { useUnsaved } from '../client/unsaved.ts'
import { useText } from '../element/i18n.ts'
import { useSheet } from '../element/styles.ts'
import type { Key } from '../i18n/index.ts'
import { Button, Callout, Flex, Text, TextField } from '../ui/basics.ts'
import sheet from './engine.css?sheet'

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
  /** Further ways, behind those of the decision. */
  also?: ReactNode
}

/** Something that waits for a second person: agreed to with a press, refused with a note of up to 30 characters. */
export const DecideBox = ({ title, asked, children, decide, noteLabel, busy, also }: Props) => {
  useSheet(sheet)
  const t = useText()
  const [note, setNote] = useState('')
  useUnsaved(note !== '')
  return (
    <Callout.Root color="amber" size="1" mb="3">
      <Text as="div" size="2" className="mk-approval">
        <b>{title}</b> · {asked}
        <ul className="mk-changes">{children}</ul>
        <Flex gap="2" align="center" wrap="wrap">
          {decide && (
            <>
              <Button size="1" loading={busy} onClick={() => decide('approve', note.trim())}>
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
