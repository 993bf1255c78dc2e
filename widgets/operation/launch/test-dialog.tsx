import { useState } from 'react'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { launch, type launches } from '../../../core/contract/operation/launch.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { BusinessConfigDialog } from '../../shared/business-config-dialog.tsx'

type Row = ConfigRow<typeof launches>
type Answer = OutputOf<typeof launch.postbackTest>

const faults = ['private_address', 'timeout', 'certificate', 'unreachable'] as const
const isFault = (said: string | null): said is (typeof faults)[number] =>
  (faults as readonly (string | null)[]).includes(said)

/** Calls the network with an example, and shows the request and the answer. */
export const TestDialog = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const test = async () => {
    const input = { channelNo: row.channelNo, launchEvent: row.postbackEvents[0] ?? ('register' as const) }
    const outcome = await send(launch.postbackTest, input, { ids: [row.channelNo] })
    setNote(null)
    if (outcome.is === 'done') return setAnswer(outcome.answer)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  const fault = answer?.answerText ?? null
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('launch.testPostback')}
      description={t('launch.confirmTest', { channelName: row.channelName })}
      differs={false}
      footer={
        <>
          <DialogCancel />
          <Button loading={busy} onClick={() => void test()}>
            {t('launch.testPostback')}
          </Button>
        </>
      }
    >
      {answer?.answerCode === null && (
        <Callout.Root color="red" size="1" role="alert" mb="2">
          <Callout.Text>{isFault(fault) ? t(`launch.fault.${fault}`) : t('launch.fault.unreachable')}</Callout.Text>
        </Callout.Root>
      )}
      {answer && (
        <Facts
          schema={launch.postbackTest.output}
          value={answer}
          names={['sentUrl', 'answerCode', 'answerText', 'latencyMs']}
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

/** How long a click counts, and where channels may lead; a second person agrees to each change. */
export const RulesDialog = ({ close }: DialogProps<never>) => {
  const t = useText()
  return (
    <BusinessConfigDialog
      configKey="ATTRIBUTION_DAYS"
      title={t('launch.rules')}
      description={t('launch.rulesHint')}
      close={close}
    />
  )
}
