import { useText } from '../../element/i18n.ts'
import { useSheet } from '../../element/styles.ts'
import { brokenRules, passwordRules } from '../../rules/password.ts'
import { Icon } from '../../ui/icons.tsx'
import sheet from './own-access.css?sheet'

type Given = { oldPassword: string; newPassword: string; words: readonly string[] }

/** What a new password must be, each line ticked as soon as it is; the server also knows the name of the company. */
export const PasswordRules = (given: Given) => {
  useSheet(sheet)
  const t = useText()
  const broken = given.newPassword ? brokenRules(given) : passwordRules
  return (
    <ul className="mk-checklist" aria-label={t('shell.passwordRules')}>
      {passwordRules.map(rule => {
        const kept = !broken.includes(rule)
        return (
          <li key={rule} data-kept={kept || undefined}>
            <Icon name={kept ? 'check' : 'minus'} size={12} label={t(kept ? 'shell.ruleKept' : 'shell.ruleOpen')} />{' '}
            {t(`shell.rule.${rule}`)}
          </li>
        )
      })}
    </ul>
  )
}
