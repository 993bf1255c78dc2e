import { useRead } from '../../../core/client/providers.tsx'
import { type RuleTestDetail, type RuleTestRow, ruleTest } from '../../../core/contract/risk/rule-test.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts, Section } from '../../../core/engine/drawer/facts.tsx'
import { dictText } from '../../../core/i18n/plain.ts'
import { Callout, Text } from '../../../core/ui/basics.ts'
import { ruleName } from '../../shared/decision/rule-name.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { isUnderWay, TestProgress } from './progress.tsx'

const { shape } = ruleTest.detail.output
const names = [
  ...['ruleSetName', 'versionNo', 'testStatus', 'sampleCount', 'knownCount', 'unknownFactCount'],
  ...['refuseRateBefore', 'refuseRate', 'swapIn', 'swapOut', 'badRate', 'lossAmount'],
  ...['sampleFrom', 'sampleTo', 'seed', 'createdBy', 'createdTime', 'finishedTime'],
]
const sampleNames = ['passRate', 'merchantNos', 'productNos', 'loanKinds', 'sampleMost']

const Rules = ({ data }: { data: RuleTestDetail }) => {
  const t = useText()
  return (
    <Section title={t('fields.testedRules')}>
      <SmallTable
        schema={shape.testedRules.element}
        rows={data.testedRules}
        rowKey="ruleNo"
        names={['ruleNo', 'hitsBefore', 'hitsAfter', 'unknownAfter']}
        empty={t('ruleTest.nothingYet')}
        cells={{
          ruleNo: rule => (
            <>
              <strong>{rule.ruleNo}</strong> {ruleName(rule, t.language)}
            </>
          ),
        }}
      />
    </Section>
  )
}

const Found = ({ data }: { data: RuleTestDetail }) => {
  const t = useText()
  return (
    <>
      <Section title={t('fields.matrix')}>
        <SmallTable
          schema={shape.matrix.element}
          rows={data.matrix.map(cell => ({ ...cell, id: `${cell.oldDecision} ${cell.newDecision}` }))}
          rowKey="id"
          names={['oldDecision', 'newDecision', 'count', 'knownCount', 'badRate', 'lossAmount']}
          empty={t('ruleTest.nothingYet')}
        />
        <Text as="p" size="1" color="gray">
          {t('ruleTest.unknownOutcome')}
        </Text>
      </Section>
      <Rules data={data} />
      <Section title={t('ruleTest.byGroup')}>
        <SmallTable
          schema={shape.groups.element}
          rows={data.groups.map(group => ({ ...group, id: `${group.testGroup} ${group.groupName}` }))}
          rowKey="id"
          names={['testGroup', 'groupName', 'count', 'refusedBefore', 'refusedAfter', 'swapIn', 'swapOut']}
          empty={t('ruleTest.nothingYet')}
          cells={{
            groupName: group =>
              group.testGroup === 'loanKind' ? dictText(t, 'LOAN_KIND', group.groupName) : group.groupName,
          }}
        />
      </Section>
    </>
  )
}

/** How far a test is and what it found: decisions then and now, hits of each rule, groups, and the orders that change. */
export const TestDetail = ({ row }: { row: RuleTestRow }) => {
  const t = useText()
  const read = useRead(
    ruleTest.detail,
    { testNo: row.testNo },
    { follows: true, refreshInterval: latest => (latest && isUnderWay(latest.run) ? 2_000 : 0) },
  )
  return (
    <Loaded read={read}>
      {data => (
        <>
          {isUnderWay(data.run) && <TestProgress row={data.run} />}
          {data.manyUnknown && (
            <Callout.Root size="1" color="amber" mb="2">
              <Callout.Text>{t('ruleTest.manyUnknown')}</Callout.Text>
            </Callout.Root>
          )}
          <Facts schema={ruleTest.page.row} value={data.run} names={names} />
          <Facts schema={ruleTest.detail.output} value={data} names={sampleNames} />
          <Found data={data} />
          <Section title={t('ruleTest.changed')}>
            <PagedTable
              list={ruleTest.orders}
              filters={{ testNo: row.testNo }}
              size={10}
              batch={50}
              rowKey="testRowNo"
              names={[
                ...['orderNo', 'productName', 'loanKind', 'oldDecision', 'newDecision', 'oldCode', 'newCode'],
                ...['newHits', 'goneHits', 'wentBad'],
              ]}
              empty={t('ruleTest.noChanges')}
              label={t('ruleTest.changed')}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}
