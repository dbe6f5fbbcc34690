namespace Wire.RabbitMQ.Outbox.Databases;

/// <summary>
/// SQLite: a transaction of Microsoft.Data.Sqlite takes the only lock for writing when it begins, so that no statement has to.
/// </summary>
internal sealed class SqliteDatabase : OutboxDatabase
{
    // The function of seconds with fractions is newer than what there may be.
    public override string Now => "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

    // AUTOINCREMENT: the number of a deleted row is not used again, which a late sender may still delete.
    public override string Identity => "INTEGER PRIMARY KEY AUTOINCREMENT";

    public override string Bytes => "BLOB";

    public override string Create(OutboxTables tables)
    {
        ArgumentNullException.ThrowIfNull(tables);
        return tables.Schema is { } schema
            ? throw new ArgumentException($"SQLite has no schemas, and the tables are in '{schema}': leave it out.", nameof(tables))
            : base.Create(tables);
    }
}
