namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>What came of one message: a value or an error.</summary>
internal sealed record MessageResult(object? Value, WireFormatException? Error);

/// <summary>One reading under one configuration, for several messages in a row.</summary>
internal static class ChangeRun
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Messages = 12;

    /// <summary>Writes with the one release and reads with the other.</summary>
    /// <param name="change">The change.</param>
    /// <param name="reading">One of its readings.</param>
    /// <param name="dynamicCode">Whether both releases emit code.</param>
    /// <param name="isInSession">Whether the messages are those of a session on either side.</param>
    /// <param name="differences">Gets the names of the members that <see cref="SerializerOptions"/>' callback was told.</param>
    public static IReadOnlyList<MessageResult> Run(
        Change change, Reading reading, bool dynamicCode, bool isInSession, List<string> differences)
    {
        var writer = new Serializer(Options(change, reading.WrittenAs, !reading.IsByNew, dynamicCode));
        var reader = new Serializer(ReportedDifferences.Into(differences, Options(change, reading.ReadAs, reading.IsByNew, dynamicCode)));
        using SerializerSession? writing = isInSession ? writer.GetSerializerSession() : null;
        using DeserializerSession? readingSession = isInSession ? reader.GetDeserializerSession() : null;
        List<MessageResult> results = [];
        for (int i = 0; i < Messages; i++)
        {
            byte[] payload = reading.Write(writer, writing);
            try
            {
                results.Add(new(reading.Read(reader, payload, readingSession), null));
            }
            catch (WireFormatException error)
            {
                results.Add(new(null, error));
            }
        }

        return results;
    }

    private static SerializerOptions Options(Change change, Type root, bool isNew, bool dynamicCode)
    {
        SerializerOptions options = (isNew ? change.NewOptions : change.OldOptions)(new() { DynamicCode = dynamicCode });
        return change.HasOneName && root.Assembly == typeof(Change).Assembly && !root.IsArray
            ? options with { TypeAliases = options.TypeAliases.Alias(root, "Shop.Root") }
            : options;
    }
}
