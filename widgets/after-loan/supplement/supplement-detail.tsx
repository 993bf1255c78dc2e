import { useRead } from '../../../core/client/providers.tsx'
import { supplement } from '../../../core/contract/after-loan/supplement.ts'
import type { OutputOf } from '../../../core/contract/endpoint.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { listed } from '../../../core/engine/table/columns.ts'
import { dictText } from '../../../core/i18n/plain.ts'
import { Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Files } from '../../shared/record/files.tsx'
import { RecordLog } from '../../shared/record-log.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

const { shape } = supplement.detail.output
const line = shape.line.unwrap()

type Detail = OutputOf<typeof supplement.detail>

const StatementLine = ({ found }: { found: Detail['line'] }) => {
  const t = useText()
  return (
    <Section title={t('supplement.statementLine')}>
      {found ? (
        <Facts
          schema={line}
          value={found}
          names={['lineNo', 'amount', 'entryTime', 'payerAccount', 'reference', 'narrative']}
        />
      ) : (
        <Text size="2" color="gray">
          {t('supplement.noLine')}
        </Text>
      )}
    </Section>
  )
}

const Earlier = ({ list }: { list: Detail['earlier'] }) => {
  const t = useText()
  return (
    <Section title={t('supplement.earlier')}>
      <SmallTable
        schema={shape.earlier.element}
        rows={list}
        rowKey="supplementNo"
        names={['supplementNo', 'serialNo', 'amount', 'flowStatus', 'createdTime', 'sameProof']}
        empty={t('supplement.noEarlier')}
        cells={{
          sameProof: one =>
            listed(
              t,
              one.sameProof.map(why => dictText(t, 'SAME_PROOF', why)),
            ),
        }}
      />
    </Section>
  )
}

/** The evidence beside what the statement says, what the channel answered, and earlier claims with the same proof. */
export const SupplementDetail = ({ supplementNo }: { supplementNo: string; reload: () => void }) => {
  return (
    <Loaded read={useRead(supplement.detail, { supplementNo }, { follows: true })}>
      {({ supplement: row, line: found, earlier }) => (
        <>
          <Facts
            schema={shape.supplement}
            value={row}
            names={[
              'serialNo',
              'paymentChannel',
              'accountName',
              'amount',
              'entryTime',
              'paymentCode',
              'payerName',
              'payerAccount',
              'orderNo',
              'customerName',
              'statementMatch',
              'channelAnswer',
              'flowNo',
              'flowStatus',
              'makerName',
              'createdTime',
              'reviewerName',
              'reviewTime',
              'reviewReason',
              'seenInPortal',
              'remark',
            ]}
          />
          <Files objectType="flow" objectNo={row.flowNo} />
          <StatementLine found={found} />
          <Earlier list={earlier} />
          <RecordLog of={{ objectType: 'flow', objectNo: row.flowNo }} />
        </>
      )}
    </Loaded>
  )
}
