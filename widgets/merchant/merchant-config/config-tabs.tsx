import { useState } from 'react'
import { useMay, useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import type { Endpoint } from '../../../core/contract/endpoint.ts'
import { type ApiKey, merchantConfig, merchantConfigs } from '../../../core/contract/merchant/merchant-config.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { RowActions } from '../../../core/engine/form/actions.tsx'
import { Ask } from '../../../core/engine/form/ask.tsx'
import type { CallAction, Words } from '../../../core/engine/screen.ts'
import type { Row as AnyRow } from '../../../core/engine/table/columns.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { shortTime } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof merchantConfigs>
const keyShape = merchantConfig.integration.output.shape.keys.element

type Stamp = Pick<Row, 'merchantNo' | 'version'>

/** A key that was used lately is ended by who types its number. */
const endOf = (row: Stamp, key: ApiKey): CallAction<AnyRow> => ({
  run: merchantConfig.credentialEnd as Endpoint,
  label: 'merchantConfig.endKey',
  tone: 'danger',
  input: () => ({ merchantNo: row.merchantNo, version: row.version, apiKeyId: key.apiKeyId }),
  ...(key.usedWithinHour ? { ask: ['typedKeyId'] } : {}),
  confirm: (): Words =>
    key.usedWithinHour
      ? {
          key: 'merchantConfig.confirmEndUsed' as const,
          params: {
            apiKeyId: key.apiKeyId,
            time: key.lastUsedTime ? shortTime(key.lastUsedTime) : '',
            n: key.callsToday,
          },
        }
      : { key: 'merchantConfig.confirmEndKey' as const, params: { apiKeyId: key.apiKeyId } },
  done: 'config.saved',
})

const Keys = ({ row, keys, reload }: { row: Stamp; keys: readonly ApiKey[]; reload: () => void }) => {
  const t = useText()
  const may = useMay()
  const [asked, setAsked] = useState<ApiKey | null>(null)
  const ends = may.call(merchantConfig.credentialEnd)
  return (
    <Section title={t('fields.keys')}>
      <SmallTable
        schema={keyShape}
        rows={keys}
        rowKey="apiKeyId"
        names={[
          ...['apiKeyId', 'environment', 'createdTime', 'createdBy', 'lastUsedTime', 'callsToday', 'keyEndedTime'],
          ...(ends ? ['end'] : []),
        ]}
        headers={{ end: t('common.actions') }}
        cells={{
          end: key =>
            key.keyEndedTime === null && (
              <RowActions actions={[endOf(row, key) as never]} row={key} press={() => setAsked(key)} />
            ),
        }}
        quiet={key => key.keyEndedTime !== null}
        empty={t('merchantConfig.noKeys')}
      />
      {asked && (
        <Ask
          action={endOf(row, asked)}
          rows={[asked as AnyRow]}
          rowKey="apiKeyId"
          fields={keyShape}
          close={changed => {
            setAsked(null)
            if (changed) reload()
          }}
        />
      )}
    </Section>
  )
}

/** How the merchant's systems are connected: how far they have come, their keys, and what they were sent. */
export const IntegrationTab = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(merchantConfig.integration, { merchantNo: row.merchantNo }, { follows: true })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Section title={t('merchantConfig.checklist')}>
            <Facts
              schema={merchantConfig.integration.output}
              value={data}
              names={['keyUsedTime', 'callbackAnsweredTime', 'firstOrderTime', 'firstSettledTime']}
            />
          </Section>
          <Facts schema={merchantConfigs.row} value={row} names={['ipAllowList', 'callbackUrl', 'callbackEvents']} />
          <Keys
            row={{ merchantNo: row.merchantNo, version: data.version }}
            keys={data.keys}
            reload={() => void read.retry()}
          />
          <Section title={t('merchantConfig.callbacks')}>
            <PagedTable
              list={merchantConfig.callbacks}
              filters={{ merchantNo: [row.merchantNo] }}
              size={10}
              batch={50}
              rowKey="callbackNo"
              names={['createdTime', 'callbackEvent', 'orderNo', 'delivery', 'tryCount', 'answerCode', 'answerText']}
              empty={t('merchantConfig.noCallbacks')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** What customers are paid to, and how often they may change it. */
export const CardsTab = ({ row }: { row: Row }) => (
  <Facts
    schema={merchantConfigs.row}
    value={row}
    names={['cardTypes', 'maxCardsPerCustomer', 'cardVerifyMode', 'changeCoolingHours']}
  />
)

const walletShape = merchantConfig.wallet.output.shape

/** What is in the wallet, by day; what went into it, and what it was used for. */
export const WalletTab = ({ row }: { row: Row }) => {
  const t = useText()
  const read = useRead(merchantConfig.wallet, { merchantNo: row.merchantNo })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Facts
            schema={merchantConfig.wallet.output}
            value={data}
            names={[
              'walletBalance',
              'accruedToday',
              'availableBalance',
              'creditFloor',
              'lowBalance',
              'meanPerDay',
              'daysLeft',
              'emptyDate',
            ]}
          />
          <Section title={t('fields.balanceDays')}>
            <Bars
              label={t('fields.balanceDays')}
              bars={data.balanceDays.map(({ date, balance }) => ({
                name: date.slice(5),
                value: Math.max(0, Number(balance)),
                label: t('merchantConfig.balanceOf', { date, balance: formatMoney(balance) }),
              }))}
            />
          </Section>
          <Section title={t('fields.recentTopUps')}>
            <SmallTable
              schema={walletShape.recentTopUps.element}
              rows={data.recentTopUps}
              rowKey="rechargeNo"
              names={['rechargeNo', 'rechargeAmount', 'bankEntryTime']}
              empty={t('merchantConfig.noTopUps')}
            />
          </Section>
          <Section title={t('fields.usedByService')}>
            <SmallTable
              schema={walletShape.usedByService.element}
              rows={data.usedByService}
              rowKey="meter"
              names={['meter', 'quantity', 'amount']}
              empty={t('merchantConfig.noUse')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
