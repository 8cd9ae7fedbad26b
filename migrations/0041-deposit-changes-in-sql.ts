import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Triggers record changes of deposits that bypass the service, as those of 0026 do for users and closed bundles (ADR 41): changes
 * of reconciled deposits, what the bank says, adjustments, and reconciling.
 */
export class DepositChangesInSql0041 implements MigrationInterface {
  readonly name = 'DepositChangesInSql1764288000041';

  async up(database: QueryRunner): Promise<void> {
    for (const statement of [DEPOSITS, ADJUSTMENTS, ITEMS, EMPTIED]) await database.query(statement);
    for (const [table, trigger] of TRIGGERS)
      await database.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${trigger}`);
  }

  async down(database: QueryRunner): Promise<void> {
    for (const [table, trigger] of TRIGGERS) await database.query(`DROP TRIGGER ${trigger} ON ${table}`);
    await database.query(`
      DROP FUNCTION record_deposit_change, record_deposit_adjustment_change, record_deposit_items_added,
        record_deposit_items_changed, record_deposit_items_deleted;
    `);
  }
}

/** They also fire in sessions that pass for a replica. */
const TRIGGERS: readonly (readonly [table: string, trigger: string])[] = [
  ['deposit', 'deposit_insert_recorded'],
  ['deposit', 'deposit_update_recorded'],
  ['deposit', 'deposit_delete_recorded'],
  ['deposit', 'deposit_emptied_recorded'],
  ['deposit_adjustment', 'deposit_adjustment_change_recorded'],
  ['deposit_adjustment', 'deposit_adjustment_emptied_recorded'],
  ['deposit_item', 'deposit_item_insert_recorded'],
  ['deposit_item', 'deposit_item_update_recorded'],
  ['deposit_item', 'deposit_item_delete_recorded'],
  ['deposit_item', 'deposit_item_emptied_recorded'],
];

/**
 * Deferred, because the service adds its entry after the change. The service inserts neither reconciled deposits nor what the bank
 * says, and deletes none. The sums of open deposits fire no trigger, so adding items costs none of this.
 */
const DEPOSITS = `
  CREATE FUNCTION record_deposit_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    of_deposit text := 'deposit ' || CASE TG_OP WHEN 'INSERT' THEN NEW.id ELSE OLD.id END;
    explained text[] := '{}';
    changed text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      IF OLD.reconciled_at IS NULL THEN
        IF public.is_recorded(of_deposit, '{deposit.bank,deposit.withdraw-bank}') THEN
          explained := '{bank_day,bank_amount,bank_reference}';
        END IF;
        IF public.is_recorded(of_deposit, '{deposit.reconcile}') THEN
          explained := explained || '{reconciled_at,reconciled_by}';
        END IF;
      END IF;
      changed := ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key AND n.key <> ALL (explained) ORDER BY n.key);
      IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
    END IF;
    PERFORM public.record_outside_change('database.deposit-change', of_deposit, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'columns', to_jsonb(changed)));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER deposit_insert_recorded AFTER INSERT ON deposit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    WHEN (NEW.reconciled_at IS NOT NULL OR num_nonnulls(NEW.bank_day, NEW.bank_amount, NEW.bank_reference) > 0)
    EXECUTE FUNCTION record_deposit_change();
  CREATE CONSTRAINT TRIGGER deposit_update_recorded AFTER UPDATE ON deposit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    WHEN ((OLD.reconciled_at IS NOT NULL OR NEW.reconciled_at IS NOT NULL
        OR (OLD.bank_day, OLD.bank_amount, OLD.bank_reference)
          IS DISTINCT FROM (NEW.bank_day, NEW.bank_amount, NEW.bank_reference))
      AND OLD IS DISTINCT FROM NEW)
    EXECUTE FUNCTION record_deposit_change();
  CREATE CONSTRAINT TRIGGER deposit_delete_recorded AFTER DELETE ON deposit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW
    WHEN (OLD.reconciled_at IS NOT NULL OR num_nonnulls(OLD.bank_day, OLD.bank_amount, OLD.bank_reference) > 0)
    EXECUTE FUNCTION record_deposit_change();
`;

/** The service only adds them. Deferred, too. */
const ADJUSTMENTS = `
  CREATE FUNCTION record_deposit_adjustment_change() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    adjustment record := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
    of_deposit text := 'deposit ' || adjustment.deposit_id;
    changed text[];
  BEGIN
    IF TG_OP = 'INSERT' AND public.is_recorded(of_deposit, '{deposit.adjust}') THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      changed := ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key ORDER BY n.key);
      IF cardinality(changed) = 0 THEN RETURN NULL; END IF;
    END IF;
    PERFORM public.record_outside_change('database.deposit-change', of_deposit, jsonb_build_object(
      'table', TG_TABLE_NAME, 'operation', TG_OP, 'adjustmentId', adjustment.id, 'columns', to_jsonb(changed)));
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER deposit_adjustment_change_recorded AFTER INSERT OR UPDATE OR DELETE ON deposit_adjustment
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_deposit_adjustment_change();
`;

/**
 * A function that records changed items of reconciled deposits.
 * @param items SQL for the items `i` and their deposits `d`.
 * @param columns SQL for the names of the columns that differ, as JSON.
 */
function recordItems(name: string, items: string, columns = 'NULL::jsonb'): string {
  return `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    item record;
  BEGIN
    FOR item IN
      SELECT d.id AS deposit_id, i.id, ${columns} AS columns FROM ${items}
      WHERE d.reconciled_at IS NOT NULL ORDER BY d.id, i.id
    LOOP
      PERFORM public.record_outside_change('database.deposit-change', 'deposit ' || item.deposit_id, jsonb_build_object(
        'table', TG_TABLE_NAME, 'operation', TG_OP, 'itemId', item.id, 'columns', item.columns));
    END LOOP;
    RETURN NULL;
  END $$;
  `;
}

/**
 * The trigger of 0034 refuses these changes, unless somebody has switched it off. They run once for each statement, as those of
 * 0034 do: a thousand items of an open deposit cost one look at it. An item that goes to another deposit changes both.
 */
const ITEMS = `
  ${recordItems('record_deposit_items_added', 'added i JOIN public.deposit d ON d.id = i.deposit_id')}
  CREATE TRIGGER deposit_item_insert_recorded AFTER INSERT ON deposit_item REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION record_deposit_items_added();
  ${recordItems(
    'record_deposit_items_changed',
    `(SELECT COALESCE(f.id, p.id) AS id, f AS before, p AS after, ARRAY[f.deposit_id, p.deposit_id] AS deposits
          FROM former f FULL JOIN present p ON p.id = f.id WHERE f IS DISTINCT FROM p) i
        JOIN public.deposit d ON d.id = ANY (i.deposits)`,
    `to_jsonb(ARRAY(SELECT n.key FROM jsonb_each(to_jsonb(i.after)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(i.before) -> n.key ORDER BY n.key))`,
  )}
  CREATE TRIGGER deposit_item_update_recorded AFTER UPDATE ON deposit_item
    REFERENCING OLD TABLE AS former NEW TABLE AS present
    FOR EACH STATEMENT EXECUTE FUNCTION record_deposit_items_changed();
  ${recordItems('record_deposit_items_deleted', 'deleted i JOIN public.deposit d ON d.id = i.deposit_id')}
  CREATE TRIGGER deposit_item_delete_recorded AFTER DELETE ON deposit_item REFERENCING OLD TABLE AS deleted
    FOR EACH STATEMENT EXECUTE FUNCTION record_deposit_items_deleted();
`;

/** The subject "deposits" is that of a reading. */
const EMPTIED = ['deposit', 'deposit_item', 'deposit_adjustment']
  .map(
    (table) => `
  CREATE TRIGGER ${table}_emptied_recorded AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION record_emptied_table('database.deposit-change', 'all deposits');`,
  )
  .join('');
