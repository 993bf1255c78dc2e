import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import { auditQuestion } from '../../../core/contract/audit/question.ts'
import { useText } from '../../../core/element/i18n.ts'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SortedLines } from '../../shared/sorted-lines.tsx'
import { inLanguage } from './cells.tsx'

const inForce = { enabled: ['enabled' as const], sort: 'sort' as const, pageSize: 100 as const }

/** Puts the questions in force into the order in which auditors read them. */
export const ArrangeQuestions = ({ close }: DialogProps<never>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const read = useRead(auditQuestion.page, inForce)
  const [moved, setMoved] = useState<string[] | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const save = async () => {
    if (!moved) return
    const outcome = await send(
      auditQuestion.arrange,
      { questionNos: moved },
      { ids: moved, done: () => t('config.saved') },
    )
    if (outcome.is === 'done') return close(true)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('auditQuestion.sort')}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} disabled={moved === null} onClick={() => void save()}>
            {t('config.save')}
          </Button>
        </>
      }
    >
      <Loaded read={read}>
        {({ list }) => (
          <SortedLines
            lines={list.map(one => ({
              value: one.questionNo,
              label: inLanguage(t.language, one.questionZh, one.questionLocal),
            }))}
            order={moved ?? list.map(one => one.questionNo)}
            words={{ up: 'auditQuestion.up', down: 'auditQuestion.down' }}
            change={setMoved}
          />
        )}
      </Loaded>
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
