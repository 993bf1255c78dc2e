import { useText } from '../../../../core/element/i18n.ts'
import { Text } from '../../../../core/ui/basics.ts'
import { Pick, WorkField } from '../field.tsx'
import { useWork } from '../work.ts'
import { useRefuseCode } from './use-refuse-code.ts'

type Code = { refuseCode: string; name: string }
const optionsOf = (codes: readonly Code[]) => codes.map(one => ({ value: one.refuseCode, label: one.name }))

/** Why, in two levels, and what the customer will read. */
export const RefuseForm = () => {
  const t = useText()
  const { draft, change } = useWork()
  const { categories, codes, code } = useRefuseCode(draft)
  return (
    <>
      <WorkField name="refuseLevel1" label={t('fields.refuseLevel1')}>
        {control => (
          <Pick
            control={control}
            options={optionsOf(categories)}
            value={draft.refuseLevel1}
            placeholder={t('audit.chooseLevel1')}
            onChange={refuseLevel1 => change({ refuseLevel1, refuseCode: undefined })}
          />
        )}
      </WorkField>
      <WorkField
        name="refuseCode"
        label={t('fields.refuseCode')}
        note={code && t('audit.cooling', { n: code.coolingDays })}
      >
        {control => (
          <Pick
            control={control}
            options={optionsOf(codes)}
            value={draft.refuseCode}
            placeholder={t('audit.chooseCode')}
            onChange={refuseCode => change({ refuseCode })}
          />
        )}
      </WorkField>
      {code && (
        <div className="mk-field">
          <Text size="2" weight="medium">
            {t('audit.customerSees')}
          </Text>
          <blockquote className="mk-customer-text">{code.customerText ?? '–'}</blockquote>
        </div>
      )}
    </>
  )
}
