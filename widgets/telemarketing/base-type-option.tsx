import { useRead } from '../../core/client/providers.tsx'
import { type BaseType, baseOption, baseTypes } from '../../core/contract/telemarketing/base-option.ts'
import { useText } from '../../core/element/i18n.ts'
import { Panes } from '../../core/engine/config/panes.tsx'
import { screen } from '../../core/engine/screen.ts'
import { dictText } from '../../core/i18n/plain.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { optionsOf } from './base-type-option/options.tsx'

const BaseTypeOption = () => {
  const t = useText()
  const { data, error, retry } = useRead(baseOption.tree, {}, { follows: true })
  if (error) return <Failed message={t('common.noConnection')} onRetry={() => void retry()} />
  if (!data) return <Loading rows={8} />
  return (
    <Panes
      by="baseType"
      label={t('fields.baseType')}
      parts={data.list.map(({ baseType, optionCount }) => ({
        name: baseType,
        label: dictText(t, 'BASE_TYPE', baseType),
        hint: baseType,
        count: optionCount,
      }))}
      screenOf={({ name }) => optionsOf[name as BaseType]}
    />
  )
}

/** Supervisors keep the choices on the telemarketing and customer service forms: their words, their order and what each leads to. */
export default screen(
  [baseOption.tree, ...baseTypes.values.flatMap(type => optionsOf[type].calls)].filter(
    (call, at, all) => all.indexOf(call) === at,
  ),
  () => <BaseTypeOption />,
)
