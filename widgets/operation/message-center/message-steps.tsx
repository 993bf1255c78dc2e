import { useRead } from '../../../core/client/providers.tsx'
import type { RowOf } from '../../../core/contract/endpoint.ts'
import { sentMessage } from '../../../core/contract/operation/message-center.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

/** One message: what it was, why it went as it did, and what became of it. */
export const MessageSteps = ({ row }: { row: RowOf<typeof sentMessage.page> }) => {
  const t = useText()
  const read = useRead(sentMessage.detail, { messageNo: row.messageNo })
  const { output } = sentMessage.detail
  return (
    <>
      <Facts
        schema={sentMessage.page.row}
        value={row}
        names={['nodeName', 'channelType', 'appCode', 'receiver', 'messageStatus', 'messageText', 'segments', 'cost']}
      />
      <Loaded read={read}>
        {found => (
          <>
            <Facts
              schema={output}
              value={found}
              names={['templateNo', 'templateVersion', 'routeNo', 'vendorRef', 'triedAccounts']}
            />
            <Section title={t('messageCenter.steps')}>
              <SmallTable
                schema={output.shape.steps.element}
                rows={found.steps.map((step, at) => ({ ...step, no: at }))}
                rowKey="no"
                names={['at', 'event', 'toState', 'said']}
                empty=""
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}
