import { useRead } from '../../../core/client/providers.tsx'
import { type ReconItemRow, recon } from '../../../core/contract/after-loan/reconciliation.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { Text } from '../../../core/ui/basics.ts'
import { ApprovalCard } from '../../shared/approval-card.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { RecordLog } from '../../shared/record-log.tsx'

const { shape } = recon.item.output

const Nothing = ({ words }: { words: 'recon.noLine' | 'recon.noBooking' }) => {
  const t = useText()
  return (
    <Text size="2" color="gray">
      {t(words)}
    </Text>
  )
}

const Sides = ({ booking, line }: Pick<OutputOf<typeof recon.item>, 'booking' | 'line'>) => {
  const t = useText()
  return (
    <>
      <Section title={t('recon.ourSide')}>
        {booking ? (
          <Facts
            schema={shape.booking.unwrap()}
            value={booking}
            names={['journalNo', 'postingCode', 'amount', 'businessDate', 'postedTime', 'loanCode', 'flowNo', 'cause']}
          />
        ) : (
          <Nothing words="recon.noBooking" />
        )}
      </Section>
      <Section title={t('recon.theirSide')}>
        {line ? (
          <Facts
            schema={shape.line.unwrap()}
            value={line}
            names={[
              'lineNo',
              'serialNo',
              'lineDirection',
              'lineKind',
              'amount',
              'entryTime',
              'reference',
              'narrative',
              'lineStatus',
            ]}
          />
        ) : (
          <Nothing words="recon.noLine" />
        )}
      </Section>
    </>
  )
}

/** A difference: our side beside theirs, and who did what about it. */
export const ItemDetail = ({ row, reload }: { row: ReconItemRow; reload: () => void }) => {
  const { reconItemNo } = row
  return (
    <>
      <ApprovalCard objectType="reconItem" objectNo={reconItemNo} onChange={reload} />
      <Loaded read={useRead(recon.item, { reconItemNo }, { follows: true })}>
        {({ item, line, booking }) => (
          <>
            <Facts
              schema={shape.item}
              value={item}
              names={[
                'reconKind',
                'accountName',
                'reference',
                'objectNo',
                'amount',
                'difference',
                'ageDays',
                'reconStatus',
                'reconCause',
                'handlerName',
                'remark',
                'createdTime',
                'closedTime',
              ]}
            />
            <Sides booking={booking} line={line} />
          </>
        )}
      </Loaded>
      <RecordLog of={{ objectType: 'reconItem', objectNo: reconItemNo }} />
    </>
  )
}
