import { useRead } from '../../core/client/providers.tsx'
import { type DeptNode, dept } from '../../core/contract/user/dept.ts'
import { useText } from '../../core/element/i18n.ts'
import { Panes } from '../../core/engine/config/panes.tsx'
import { type Screen, screen } from '../../core/engine/screen.ts'
import { Failed, Loading } from '../../core/ui/states.tsx'
import { listOf } from './user-management/people-list.tsx'

const all = listOf('')
const made = new Map<string, Screen>([['', all]])
const screenOf = (deptNo: string): Screen => {
  const found = made.get(deptNo) ?? listOf(deptNo)
  made.set(deptNo, found)
  return found
}

const levelOf = (nodes: readonly DeptNode[], node: DeptNode): number => {
  const above = nodes.find(one => one.deptNo === node.parentNo)
  return above ? levelOf(nodes, above) + 1 : 0
}

const ByDepartment = () => {
  const t = useText()
  const read = useRead(dept.tree, {}, { follows: true })
  if (read.error) return <Failed message={t('common.noConnection')} onRetry={() => void read.retry()} />
  if (!read.data) return <Loading rows={8} />
  const { list } = read.data
  const top = list.filter(node => node.parentNo === null)
  return (
    <Panes
      by="deptNo"
      label={t('people.departments')}
      parts={[
        { name: '', label: t('people.allDepartments'), count: top.reduce((sum, node) => sum + node.userCountBelow, 0) },
        ...list.map(node => ({
          name: node.deptNo,
          label: `${'\u2003'.repeat(levelOf(list, node))}${node.deptName}`,
          hint: node.deptName,
          count: node.userCountBelow,
        })),
      ]}
      screenOf={({ name }) => screenOf(name)}
    />
  )
}

/** Administrators and team leads take people in, give them their place and roles, and stop them at once when something is wrong. */
export default screen([...all.calls, dept.tree], () => <ByDepartment />)
