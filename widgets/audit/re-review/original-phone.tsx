import { useState } from 'react'
import { CallError } from '../../../core/client/errors.ts'
import { useClient } from '../../../core/client/providers.tsx'
import { reReview } from '../../../core/contract/audit/re-review.ts'
import { copyValue } from '../../../core/element/copy.ts'
import { useText } from '../../../core/element/i18n.ts'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { Button, Callout, Flex, Text } from '../../../core/ui/basics.ts'
import { DialogCancel, ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'

/** The phone that the customer gave first, shown and copied on a press; the server records each look. */
export const OriginalPhone = ({ rows: [row], close }: DialogProps<{ orderNo: string; customerName: string }>) => {
  const t = useText()
  const client = useClient()
  const [shown, setShown] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const show = async (button: HTMLElement) => {
    setBusy(true)
    setWrong(null)
    try {
      const phone = (await client.call(reReview.originalPhone, { orderNo: row.orderNo })) || '-'
      setShown(phone)
      if (phone !== '-') await copyValue(button, phone, t.language)
    } catch (error) {
      setWrong(error instanceof CallError ? error.message : t('common.noAnswer'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <ModalDialog
      open
      onClose={() => close()}
      title={t('actions.originalPhone')}
      description={t('reReview.phoneHint')}
      footer={<DialogCancel />}
    >
      <Flex gap="3" align="center">
        <Text>{row.customerName}</Text>
        <Text className="mk-sensitive">{shown ?? '••••••••••••'}</Text>
        <Button
          variant="soft"
          loading={busy}
          disabled={shown !== null}
          onClick={event => void show(event.currentTarget)}
        >
          {t('reReview.show')}
        </Button>
      </Flex>
      {wrong && (
        <Callout.Root color="amber" size="1" role="alert">
          <Callout.Text>{wrong}</Callout.Text>
        </Callout.Root>
      )}
    </ModalDialog>
  )
}
