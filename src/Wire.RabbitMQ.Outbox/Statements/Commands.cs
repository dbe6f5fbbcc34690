using System.Data;
using System.Data.Common;

namespace Wire.RabbitMQ.Outbox.Statements;

/// <summary>Statements in the transaction of a program.</summary>
internal static class Commands
{
    /// <summary>Makes a statement.</summary>
    /// <exception cref="InvalidOperationException">The transaction has ended.</exception>
    public static DbCommand Command(this DbTransaction transaction, string text)
    {
        DbCommand command = (transaction.Connection ?? throw new InvalidOperationException(
            "The transaction has ended: it was committed or rolled back, or its connection is closed. Give one that has begun and not " +
            "ended, and commit it afterwards.")).CreateCommand();
        command.Transaction = transaction;
        command.CommandText = text;
        return command;
    }

    /// <summary>Adds a parameter.</summary>
    public static DbCommand With(this DbCommand command, string name, DbType type, object? value)
    {
        DbParameter parameter = command.CreateParameter();
        parameter.ParameterName = $"@{name}";
        parameter.DbType = type;
        parameter.Value = value ?? DBNull.Value;
        command.Parameters.Add(parameter);
        return command;
    }

    /// <summary>Adds a text.</summary>
    public static DbCommand With(this DbCommand command, string name, string? value) => command.With(name, DbType.String, value);

    /// <summary>Adds a number.</summary>
    public static DbCommand With(this DbCommand command, string name, long value) => command.With(name, DbType.Int64, value);

    /// <summary>Runs a statement once.</summary>
    /// <returns>The number of rows that it has changed.</returns>
    public static async Task<int> ExecuteAsync(this DbCommand command, CancellationToken cancellationToken)
    {
        await using (command.ConfigureAwait(false))
        {
            return await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Runs a statement without parameters once.</summary>
    public static Task<int> ExecuteAsync(this DbTransaction transaction, string text, CancellationToken cancellationToken) =>
        transaction.Command(text).ExecuteAsync(cancellationToken);
}
