using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091.Fields;

/// <summary>
/// Refuses fields that RabbitMQ cannot hold before they are sent: it would close the connection over them, with everything that is under
/// way on all of its channels, or the channel.
/// </summary>
internal static class FieldCheck
{
    private const uint SingleExponent = 0x7F80_0000;
    private const ulong DoubleExponent = 0x7FF0_0000_0000_0000;

    /// <summary>Checks the table of a method, or within another.</summary>
    /// <exception cref="ArgumentException">A field cannot be sent: the message names its key.</exception>
    public static void CheckTable(FieldTable table) => Check(table, areHeaders: false);

    /// <summary>Checks the headers of a message.</summary>
    /// <exception cref="ArgumentException">A header cannot be sent: the message names its key.</exception>
    public static void CheckHeaders(FieldTable headers) => Check(headers, areHeaders: true);

    private static void Check(FieldTable table, bool areHeaders)
    {
        if (table.IsEmpty)
        {
            return;
        }

        string? wrong;
        string path;
        try
        {
            wrong = WrongIn(table, areHeaders, out path);
        }
        catch (AmqpFormatException e)
        {
            throw new ArgumentException($"The bytes of a table are damaged, and the broker would close the connection: {e.Message}", e);
        }

        if (wrong is not null)
        {
            throw new ArgumentException($"The field '{path}' {wrong}");
        }
    }

    // What is wrong with the first field that cannot be sent, and where it is; null where nothing is.
    private static string? WrongIn(FieldTable table, bool areHeaders, out string path)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        foreach ((AmqpString key, FieldValue value) in table)
        {
            string below = "";
            string? wrong = areHeaders && IsRoutes(key) ? WrongWithRoutes(value) : null;
            if ((wrong ??= WrongWith(value, out below)) is not null)
            {
                path = $"{key}{below}";
                return wrong;
            }
        }

        path = "";
        return null;
    }

    private static string? WrongIn(FieldArray array, out string path)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        int index = 0;
        foreach (FieldValue value in array)
        {
            if (WrongWith(value, out string below) is { } wrong)
            {
                path = $"[{index}]{below}";
                return wrong;
            }

            index++;
        }

        path = "";
        return null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static string? WrongWith(in FieldValue value, out string below)
    {
        below = "";
        return value.Type is FieldType.Single or FieldType.Double or FieldType.Int16AsSpecified or FieldType.Table or FieldType.Array
            ? WrongWithSlow(value, out below)
            : null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string? WrongWithSlow(in FieldValue value, out string below)
    {
        below = "";
        switch (value.Type)
        {
            case FieldType.Single when (value.Bits & SingleExponent) == SingleExponent:
            case FieldType.Double when (value.Bits & DoubleExponent) == DoubleExponent:
                return $"is {value}, which RabbitMQ cannot hold: it would close the connection. Leave it out, or write it as a text.";
            case FieldType.Int16AsSpecified:
                return $"is of type {FieldTypes.Name(value.Type)}, which RabbitMQ does not know: it would close the connection. Write it " +
                    "as a short.";
            case FieldType.Array:
                return WrongIn(value.AsArray(), out below);
            case FieldType.Table:
                string? wrong = WrongIn(value.AsTable(), areHeaders: false, out below);
                below = $".{below}";
                return wrong;
            default:
                return null;
        }
    }

    private static bool IsRoutes(AmqpString key) => key.ByteCount is 2 or 3 && (key.Equals("CC") || key.Equals("BCC"));

    // The broker closes the channel for another type than an array, and passes over what is no text in it.
    private static string? WrongWithRoutes(in FieldValue routes)
    {
        if (routes.Type == FieldType.Array)
        {
            bool areTexts = true;
            foreach (FieldValue route in routes.AsArray())
            {
                areTexts &= route.Type == FieldType.String;
            }

            if (areTexts)
            {
                return null;
            }
        }

        return "is no list of texts: RabbitMQ takes further routing keys from it, and would close the channel over it, or the " +
            "connection. Give it a list of strings, or another name.";
    }
}
