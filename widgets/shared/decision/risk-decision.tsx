import { useRead } from '../../../core/client/providers.tsx'
import { type DecisionDetail, ruleSet } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Badge, Flex, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../loaded.tsx'
import { SmallTable } from '../small-table.tsx'
import { ruleName } from './rule-name.ts'

const schema = ruleSet.decisionDetail.output
const names = ['orderNo', 'riskDecision', 'refuseCode', 'suggestedAmount', 'decidedTime', 'durationMs']
const steps = [
  'planVersionNo',
  'modelNo',
  'modelVersion',
  'modelScore',
  'modelLevel',
  'bandRate',
  'bandMost',
  'priceVersionNo',
  'aboveCap',
  'verifyResult',
]

/** The sets that were asked, at the versions of then, with how many of their rules met. */
const AskedSets = ({ decision }: { decision: DecisionDetail }) => {
  const t = useText()
  return (
    <SmallTable
      schema={schema.shape.sets.element}
      rows={decision.sets}
      rowKey="versionNo"
      names={['ruleSetName', 'stage', 'versionNo', 'setHits']}
      empty={t('ruleSet.noSets')}
      label={t('ruleSet.askedSets')}
    />
  )
}

/** By which steps it was decided: plan, sets, model, band, price. */
const Path = ({ decision }: { decision: DecisionDetail }) => {
  const t = useText()
  const { bandDecision, bandRate, incompleteWhy, manualAll } = decision
  const band = [bandDecision && t.maybe(`dict.BAND_DECISION.${bandDecision}`), bandRate && `${bandRate} %`]
  return (
    <>
      {incompleteWhy !== null && (
        <Text as="p" size="2" color="amber">
          {t('ruleSet.incompleteFor', { why: t(`dict.RISK_INCOMPLETE.${incompleteWhy}`) })}
        </Text>
      )}
      {manualAll && (
        <Text as="p" size="2" color="amber">
          {t('ruleSet.wasManual')}
        </Text>
      )}
      <Facts
        schema={schema}
        value={decision}
        names={steps}
        own={{ bandRate: band.filter(Boolean).join(' · ') || '–' }}
      />
      <AskedSets decision={decision} />
    </>
  )
}

/** What rules found that was not a plain miss, with what they saw. */
const Hits = ({ decision }: { decision: DecisionDetail }) => {
  const t = useText()
  return (
    <SmallTable
      schema={schema.shape.hits.element}
      rows={decision.hits}
      rowKey="ruleNo"
      names={['ruleNo', 'ruleAction', 'ruleMode', 'outcome', 'refuseCode', 'factValues']}
      empty={t('ruleSet.noHits')}
      label={t('ruleSet.rules')}
      cells={{
        ruleNo: hit => (
          <>
            <strong>{hit.ruleNo}</strong> {ruleName(hit, t.language)}
            {hit.expression && (
              <Text as="p" size="1">
                <code>{hit.expression}</code>
              </Text>
            )}
          </>
        ),
        factValues: hit => hit.factValues.map(one => `${one.fact} = ${one.value ?? '–'}`).join('; '),
      }}
    />
  )
}

/** What was known of the application. */
const Known = ({ decision }: { decision: DecisionDetail }) => {
  const t = useText()
  return (
    <SmallTable
      schema={schema.shape.facts.element}
      rows={decision.facts}
      rowKey="fact"
      names={['fact', 'value']}
      empty=""
      label={t('ruleSet.facts')}
      cells={{
        fact: row => (
          <>
            <code>{row.fact}</code> {t.maybe(`ruleFact.${row.fact}`)}
          </>
        ),
        value: row => row.value ?? '–',
      }}
    />
  )
}

/** Why an order was decided as it was, from what was known then. */
export const RiskDecision = ({ of }: { of: { decisionNo: string } | { orderNo: string } }) => {
  const t = useText()
  const read = useRead(ruleSet.decisionDetail, of)
  return (
    <Loaded read={read}>
      {decision => (
        <Flex direction="column" gap="3">
          <Facts schema={schema} value={decision} names={names} />
          <Text as="p" size="1">
            <Badge color={decision.replays ? 'green' : 'red'}>
              {t(decision.replays ? 'ruleSet.replays' : 'ruleSet.replaysNot')}
            </Badge>
          </Text>
          <Path decision={decision} />
          <Hits decision={decision} />
          {decision.lists.length > 0 && (
            <Text as="p" size="2">
              {t('ruleSet.lists', { names: decision.lists.map(one => one.nameListName).join(', ') })}
            </Text>
          )}
          <Known decision={decision} />
        </Flex>
      )}
    </Loaded>
  )
}
