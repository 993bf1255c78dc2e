import { useState } from 'react'
import { useMay } from '../../../core/client/providers.tsx'
import { type Attachment, attach } from '../../../core/contract/common/attachment.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Ask } from '../../../core/engine/form/ask.tsx'
import { Button } from '../../../core/ui/basics.ts'
import { Empty } from '../../../core/ui/states.tsx'
import { Attachments, useAttachments } from '../../shared/attachments.tsx'
import { Loaded } from '../../shared/loaded.tsx'

/** What people and systems handed in for an order: identity, income, contracts. */
export const AttachmentsTab = ({ orderNo }: { orderNo: string }) => {
  const t = useText()
  const may = useMay()
  const read = useAttachments('order', orderNo)
  const [asked, setAsked] = useState<'new' | Attachment | null>(null)
  const close = (changed?: boolean) => {
    setAsked(null)
    if (changed) void read.retry()
  }
  const action =
    asked === 'new'
      ? {
          label: 'actions.addAttachment' as const,
          run: attach.save,
          ask: ['attachType', 'uploadNo'],
          input: () => ({ objectType: 'order', objectNo: orderNo }),
        }
      : {
          label: 'actions.removeAttachment' as const,
          run: attach.remove,
          tone: 'danger' as const,
          confirm: 'order.confirmRemoveAttachment' as const,
          input: () => ({ uploadNo: (asked as Attachment).uploadNo }),
        }
  return (
    <Loaded read={read}>
      {({ list }) => (
        <div className="mk-card">
          {may.call(attach.save) && (
            <Button size="1" variant="surface" mb="3" onClick={() => setAsked('new')}>
              {t('actions.addAttachment')}
            </Button>
          )}
          {list.length === 0 ? (
            <Empty title={t('order.noAttachments')} hint={t('order.noAttachmentsHint')} />
          ) : (
            <Attachments list={list} remove={setAsked} />
          )}
          {asked !== null && (
            <Ask
              action={action as never}
              rows={[{ orderNo }]}
              rowKey="orderNo"
              fields={attach.list.output.shape.list.element}
              close={close}
            />
          )}
        </div>
      )}
    </Loaded>
  )
}
