import { useState } from 'react'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { merchantConfig, type merchantConfigs } from '../../../core/contract/merchant/merchant-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Field } from '../../../core/engine/form/field.tsx'
import { useCommand } from '../../../core/engine/form/use-command.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

type Row = ConfigRow<typeof merchantConfigs>
const { shape } = merchantConfig.credentialCreate.input

const Made = ({ apiKeyId, apiSecret }: { apiKeyId: string; apiSecret: string }) => {
  const t = useText()
  return (
    <>
      <Callout.Root color="amber" size="1" mb="2">
        <Callout.Text>{t('merchantConfig.secretOnce')}</Callout.Text>
      </Callout.Root>
      {[['fields.apiKeyId', apiKeyId] as const, ['fields.apiSecret', apiSecret] as const].map(([label, value]) => (
        <Text as="p" size="2" key={label}>
          {t(label)}{' '}
          <span className="mk-key">
            {value}
            <CopyIcon value={value} />
          </span>
        </Text>
      ))}
    </>
  )
}

/** Makes a key beside the one in use, and shows its secret this once. */
export const KeyDialog = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  const { send, busy } = useCommand()
  const [environment, setEnvironment] = useState<Row['environment']>(row.environment)
  const [made, setMade] = useState<{ apiKeyId: string; apiSecret: string } | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const create = async () => {
    const input = { merchantNo: row.merchantNo, version: row.version, environment }
    const outcome = await send(merchantConfig.credentialCreate, input, {
      ids: [row.merchantNo],
      done: () => t('config.saved'),
    })
    if (outcome.is === 'done') return setMade(outcome.answer)
    setNote(outcome.is === 'unanswered' ? t('common.noAnswer') : outcome.error.message)
  }
  return (
    <ModalDialog
      open
      onClose={() => close(made !== null)}
      title={t('merchantConfig.newKey')}
      description={
        made
          ? undefined
          : t(row.liveKeys > 0 ? 'merchantConfig.newKeyHint' : 'merchantConfig.firstKeyHint', {
              merchantName: row.merchantName,
            })
      }
      differs={false}
      footer={
        <>
          <DialogCancel />
          {!made && (
            <Button loading={busy} onClick={() => void create()}>
              {t('merchantConfig.newKey')}
            </Button>
          )}
        </>
      }
    >
      {made ? (
        <Made {...made} />
      ) : (
        <Field
          name="environment"
          schema={shape.environment}
          value={environment}
          onChange={value => setEnvironment((value ?? row.environment) as Row['environment'])}
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
