import { useState } from 'react'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { merchantConfig, type merchantConfigs } from '../../../core/contract/merchant/merchant-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Row = ConfigRow<typeof merchantConfigs>
type Answer = OutputOf<typeof merchantConfig.callbackTest>

/** Sends a signed example, and shows what was sent and what came back. */
export const TestDialog = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const test = async () => {
    const outcome = await send(merchantConfig.callbackTest, { merchantNo: row.merchantNo }, { ids: [row.merchantNo] })
    setNote(null)
    if (outcome.is === 'done') return setAnswer(outcome.answer)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('merchantConfig.testCallback')}
      description={t('merchantConfig.confirmTest', { merchantName: row.merchantName })}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void test()}>
            {t('merchantConfig.testCallback')}
          </Button>
        </>
      }
    >
      {answer?.answerCode === null && (
        <Callout.Root color="red" size="1" role="alert" mb="2">
          <Callout.Text>{t('merchantConfig.noAnswer', { fault: answer.answerText ?? '' })}</Callout.Text>
        </Callout.Root>
      )}
      {answer && (
        <Facts
          schema={merchantConfig.callbackTest.output}
          value={answer}
          names={['callbackUrl', 'sentBody', 'answerCode', 'answerText', 'latencyMs']}
        />
      )}
      {note && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{note}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
