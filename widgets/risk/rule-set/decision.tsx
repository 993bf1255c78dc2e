import { useRead } from '../../../core/client/providers.tsx'
import { ruleSet } from '../../../core/contract/risk/rule-set.ts'
import { useText } from '../../../core/element/i18n.ts'
import { Facts } from '../../../core/engine/drawer/facts.tsx'
import { Badge, Text } from '../../../core/ui/basics.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { SmallTable } from '../../shared/small-table.tsx'
import { ruleName } from './rule-name.ts'

const schema = ruleSet.decisionDetail.output
const names = [
  'orderNo',
  'riskDecision',
  'refuseCode',
  'modelScore',
  'modelLevel',
  'suggestedAmount',
  'modelNo',
  'modelVersion',
  'priceVersionNo',
  'verifyResult',
  'aboveCap',
  'usedVersions',
  'decidedTime',
  'durationMs',
]

/** Why an order was decided as it was, from what was known then. */
export const Decision = ({ decisionNo }: { decisionNo: string }) => {
  const t = useText()
  const read = useRead(ruleSet.decisionDetail, { decisionNo })
  return (
    <Loaded read={read}>
      {decision => (
        <>
          <Facts schema={schema} value={decision} names={names} />
          <Text as="p" size="1">
            <Badge color={decision.replays ? 'green' : 'red'}>
              {t(decision.replays ? 'ruleSet.replays' : 'ruleSet.replaysNot')}
            </Badge>
          </Text>
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
          {decision.lists.length > 0 && (
            <Text as="p" size="2">
              {t('ruleSet.lists', { names: decision.lists.map(one => one.nameListName).join(', ') })}
            </Text>
          )}
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
        </>
      )}
    </Loaded>
  )
}
