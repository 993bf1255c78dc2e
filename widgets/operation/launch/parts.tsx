import { useState } from 'react'
import { useRead } from '../../../core/client/providers.tsx'
import type { ConfigRow } from '../../../core/contract/config.ts'
import { base, type OutputOf } from '../../../core/contract/endpoint.ts'
import { channelPath, launch, type launches, type Stretch } from '../../../core/contract/operation/launch.ts'
import { useHost } from '../../../core/element/context.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import type { DialogProps } from '../../../core/engine/screen.ts'
import { formatMoney } from '../../../core/rules/amount.ts'
import { addDays, eatDate } from '../../../core/rules/time.ts'
import { Bars } from '../../../core/ui/bars.tsx'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'
import { ModalDialog } from '../../../core/ui/overlay/modal-dialog.tsx'
import { QrCode } from '../../../core/ui/qr-code.tsx'
import { Figures } from '../../shared/figures.tsx'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'

type Row = ConfigRow<typeof launches>
type Stat = OutputOf<typeof launch.stat>

/** Days that the charts of the drawer show. */
const shownDays = 30

const steps = [
  'clickCount',
  'registerCount',
  'incomingCount',
  'passCount',
  'paidOutCount',
  'firstPaidCount',
] as const satisfies readonly (keyof Stretch)[]

/** The link of a channel, to copy or to read with a camera. */
export const LinkOf = ({ row }: { row: Row }) => {
  const t = useText()
  const { props } = useHost()
  const server = props.baseUrl ?? window.location.origin
  const link = new URL(`${base}${channelPath(row.promotionChannel)}`, new URL(server, window.location.origin)).href
  return (
    <Section title={t('launch.link')}>
      <Flex gap="4" align="center" wrap="wrap">
        <QrCode text={link} side={148} label={t('launch.qrOf', { promotionChannel: row.promotionChannel })} />
        <Text size="2" style={{ overflowWrap: 'anywhere' }}>
          {link} <CopyIcon value={link} />
        </Text>
      </Flex>
    </Section>
  )
}

/** The same as a dialog of its own. */
export const LinkDialog = ({ rows: [row], close }: DialogProps<Row>) => {
  const t = useText()
  return (
    <ModalDialog open onClose={() => close()} title={t('launch.copyLink')}>
      <LinkOf row={row} />
    </ModalDialog>
  )
}

/** From the click to the first bill paid: how many came so far, and how many of the step before. */
const Funnel = ({ total }: { total: Stretch }) => {
  const t = useText()
  const part = (at: number) => {
    const before = at === 0 ? 0 : total[steps[at - 1] as 'clickCount']
    return before === 0 ? '' : ` · ${Math.round((100 * total[steps[at] as 'clickCount']) / before)} %`
  }
  return (
    <>
      <Bars
        label={t('launch.funnel')}
        every={1}
        bars={steps.map((name, at) => ({
          name: t(`fields.${name}`),
          value: total[name],
          label: `${t(`fields.${name}`)}: ${total[name]}${part(at)}`,
        }))}
      />
      <Text as="p" size="1" color="gray">
        {steps.map((name, at) => `${t(`fields.${name}`)} ${total[name]}${part(at)}`).join(' → ')}
      </Text>
    </>
  )
}

/** What a payout cost, day by day or week by week; days without one stand empty. */
const CostBars = ({ list }: { list: Stat['list'] }) => {
  const t = useText()
  return (
    <Bars
      label={t('launch.perPayout')}
      every={list.length > 10 ? 7 : 1}
      bars={list.map(({ statDate, costPerPayout, costAmount, paidOutCount }) => ({
        name: statDate.slice(5),
        value: Number(costPerPayout ?? 0),
        label: t('launch.costOf', {
          date: statDate,
          each: costPerPayout === null ? '–' : formatMoney(costPerPayout),
          cost: formatMoney(costAmount),
          n: paidOutCount,
        }),
      }))}
    />
  )
}

const money = (amount: string | null) => (amount === null ? '–' : formatMoney(amount))

/** A number beside that of the equal period before it. */
const Compared = ({ total, previous }: Pick<Stat, 'total' | 'previous'>) => {
  const t = useText()
  const both = (now: string | number, then: string | number) => t('launch.nowThen', { now, then })
  return (
    <Figures
      label={t('launch.compared')}
      list={[
        { label: t('fields.registerCount'), value: both(total.registerCount, previous.registerCount) },
        { label: t('fields.paidOutCount'), value: both(total.paidOutCount, previous.paidOutCount) },
        { label: t('fields.costAmount'), value: both(money(total.costAmount), money(previous.costAmount)) },
        { label: t('fields.costPerPayout'), value: both(money(total.costPerPayout), money(previous.costPerPayout)) },
      ]}
    />
  )
}

/** What a channel brought and cost: the funnel, what a payout cost, and the same of the days before. */
export const FunnelTab = ({ row }: { row: Row }) => {
  const t = useText()
  const [by, setBy] = useState<'day' | 'week'>('day')
  const to = eatDate(new Date())
  const read = useRead(launch.stat, { channelNos: [row.channelNo], from: addDays(to, 1 - shownDays), to, by })
  return (
    <Loaded read={read}>
      {data => (
        <>
          <Compared {...data} />
          <Section title={t('launch.funnel')}>
            <Funnel total={data.total} />
          </Section>
          <Section title={t('launch.perPayout')}>
            <Flex gap="3" mb="2" role="group" aria-label={t('fields.by')}>
              {(['day', 'week'] as const).map(one => (
                <label key={one}>
                  <input type="radio" name="by" checked={by === one} onChange={() => setBy(one)} />{' '}
                  {t(`dict.STAT_BY.${one}`)}
                </label>
              ))}
            </Flex>
            <CostBars list={data.list} />
            <SmallTable
              schema={launch.stat.output.shape.list.element}
              rows={[...data.list].reverse()}
              rowKey="statDate"
              names={['statDate', ...steps, 'payoutAmount', 'costAmount', 'costPerPayout']}
              empty={t('launch.noNumbers')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

/** What was entered for each day, with what it took the place of. */
export const CostsTab = ({ row }: { row: Row }) => {
  const t = useText()
  return (
    <PagedTable
      list={launch.costs}
      filters={{ channelNo: row.channelNo }}
      size={10}
      batch={50}
      rowKey="costNo"
      names={['costDate', 'amount', 'remark', 'costSource', 'createdBy', 'createdTime', 'replacedTime']}
      empty={t('launch.noCosts')}
    />
  )
}

/** What the network was called for, and what it answered. */
export const PostbacksTab = ({ row }: { row: Row }) => {
  const t = useText()
  return (
    <>
      <Facts schema={launch.page.row} value={row} names={['postbackUrl', 'postbackEvents', 'deadPostbacks']} />
      <PagedTable
        list={launch.postbacks}
        filters={{ channelNo: row.channelNo }}
        size={10}
        batch={50}
        rowKey="postbackNo"
        names={[
          'createdTime',
          'launchEvent',
          'clickId',
          'delivery',
          'tryCount',
          'answerCode',
          'answerText',
          'lastTryTime',
        ]}
        empty={t('launch.noPostbacks')}
      />
    </>
  )
}
