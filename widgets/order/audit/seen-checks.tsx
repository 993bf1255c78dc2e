import { useText } from '../../../core/element/i18n.ts'
import { Checkbox, Text } from '../../../core/ui/basics.ts'
import { CheckCounts, sideText } from '../detail/checks.tsx'
import { useWork } from './work.ts'
import { WorkSection } from './work-section.tsx'

/** The mismatches, each to be ticked when it was looked at. */
export const SeenChecks = () => {
  const t = useText()
  const { basic, draft, change } = useWork()
  const mismatches = basic.checks.filter(check => check.checkResult === 'mismatch')
  const seen = draft.seenChecks ?? []
  const tick = (key: string, on: boolean) =>
    change({ seenChecks: on ? [...seen, key] : seen.filter(one => one !== key) })
  return (
    <WorkSection title={t('order.checks')} name="checks" aside={<CheckCounts checks={basic.checks} />}>
      {mismatches.length === 0 && (
        <Text size="2" color="gray">
          {t(basic.checks.some(check => check.checkResult === 'unknown') ? 'audit.noneMismatched' : 'audit.noMismatch')}
        </Text>
      )}
      {mismatches.map(check => {
        const name = t(`dict.CHECK_KEY.${check.checkKey}`)
        return (
          <label key={check.checkKey} className="mk-check-line" htmlFor={`seen-${check.checkKey}`}>
            <Checkbox
              id={`seen-${check.checkKey}`}
              aria-label={t('audit.seen', { check: name })}
              checked={seen.includes(check.checkKey)}
              onCheckedChange={on => tick(check.checkKey, on === true)}
            />
            <span>
              {name}
              <small>
                {t('order.stated')}: {sideText(t, check, 'left')} · {t('fields.right')}: {sideText(t, check, 'right')}
              </small>
            </span>
          </label>
        )
      })}
    </WorkSection>
  )
}
