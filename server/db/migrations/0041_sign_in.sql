-- Why a session ended: the one that took its place, when its person opened one too many.
alter table session add column replaced_by text;
