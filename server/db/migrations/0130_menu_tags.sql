-- A page of the menu is known by the tag of its screen, as names of pages are not unique: rows, grants and codes underway are carried over.
create temporary table renamed as
  select m.menu_no as old_no, t.tag || substr(m.menu_no, length(t.name) + 1) as new_no
  from (values
    ('AnnouncementManagement', 'mkopo-operation-announcement-management'),
    ('BaseTypeOption', 'mkopo-telemarketing-base-type-option'),
    ('DataDictionary', 'mkopo-user-data-dictionary'),
    ('Home', 'mkopo-portal-home'),
    ('LoanManagement', 'mkopo-after-loan-loan-management'),
    ('MaturityConfigManagement', 'mkopo-merchant-maturity-config-management'),
    ('MyAudit', 'mkopo-audit-my-audit'),
    ('OrderAllocation', 'mkopo-audit-order-allocation'),
    ('OrderAudit', 'mkopo-order-order-audit'),
    ('OrderDetail', 'mkopo-order-order-detail'),
    ('OrderManagement', 'mkopo-audit-order-management'),
    ('RepaymentManagement', 'mkopo-after-loan-repayment-management'),
    ('SensitiveWordConfig', 'mkopo-operation-sensitive-word-config'),
    ('WarningNotify', 'mkopo-portal-warning-notify')
  ) as t (name, tag)
  join menu m on m.builtin and (m.menu_no = t.name or m.parent_menu_no = t.name);
insert into menu (menu_no, menu_name, menu_type, perms, external_url, icon, sort, builtin, gone_time)
  select new_no, menu_name, menu_type, perms, external_url, icon, sort, builtin, gone_time from menu join renamed on old_no = menu_no;
update menu set parent_menu_no = coalesce((select new_no from renamed where old_no = earlier.parent_menu_no), earlier.parent_menu_no)
  from renamed, menu earlier where menu.menu_no = renamed.new_no and earlier.menu_no = renamed.old_no;
update role_menu set menu_no = new_no from renamed where old_no = menu_no;
update handoff_code set menu_no = new_no from renamed where old_no = menu_no;
update menu set parent_menu_no = new_no from renamed where parent_menu_no = old_no;
delete from menu using renamed where menu_no = old_no;
drop table renamed;
