using System.Text.Json;
using Wire.Tool.Messages;
using Wire.Tool.Running;

namespace Wire.Tool.ErrorQueues;

/// <summary>The failures of one kind.</summary>
/// <param name="Id">The number of the group.</param>
/// <param name="Example">The first one.</param>
/// <param name="Number">The number of its message in the queue.</param>
/// <param name="Type">The type that its message says.</param>
/// <param name="MessageId">The id of its message.</param>
internal sealed record ErrorGroup(string Id, ErrorFacts Example, long Number, string? Type, string? MessageId)
{
    /// <summary>Gets the number of messages.</summary>
    public long Count { get; private set; }

    /// <summary>Gets the time of the first failure; null where none has one.</summary>
    public DateTimeOffset? First { get; private set; }

    /// <summary>Gets the time of the last failure; null where none has one.</summary>
    public DateTimeOffset? Last { get; private set; }

    /// <summary>Counts a message.</summary>
    public void Add(ErrorFacts facts)
    {
        Count++;
        if (facts.Time is { } time)
        {
            First = First is { } first && first < time ? first : time;
            Last = Last is { } last && last > time ? last : time;
        }
    }
}

/// <summary>The messages of an error queue, in groups.</summary>
internal sealed class ErrorGroups
{
    // Each has texts of a few kilobytes; who writes other ones into each message does not fill the memory.
    private const int Most = 10_000;

    private readonly Dictionary<string, ErrorGroup> _groups = [];
    private long _others;

    /// <summary>Gets the number of messages.</summary>
    public long Messages { get; private set; }

    /// <summary>Counts a message.</summary>
    /// <param name="number">Its number in the queue.</param>
    /// <param name="facts">What it says of its failure.</param>
    /// <param name="type">The type that it says.</param>
    /// <param name="messageId">Its id.</param>
    public void Add(long number, ErrorFacts facts, string? type, string? messageId)
    {
        Messages++;
        string id = facts.Group;
        if (!_groups.TryGetValue(id, out ErrorGroup? group))
        {
            if (_groups.Count == Most)
            {
                _others++;
                return;
            }

            group = new ErrorGroup(id, facts, number, type, messageId);
            _groups.Add(id, group);
        }

        group.Add(facts);
    }

    /// <summary>Writes the groups, the largest first.</summary>
    /// <param name="console">The output.</param>
    /// <param name="queue">The name of the queue, plain.</param>
    /// <param name="limit">The number of groups; 0 for all.</param>
    public void Write(ToolConsole console, string queue, int limit)
    {
        TextWriter output = console.Out;
        foreach (ErrorGroup group in InOrder(limit))
        {
            ErrorFacts example = group.Example;
            string from = example.Queue is { } source ? $" in {PlainText.Show(source, 300)}" : "";
            output.WriteLine(console.Paint(Paint.Bold,
                $"group {group.Id}: {TextTable.Number(group.Count)} message(s), {PlainText.Show(example.Reason, 300)}{from}"));
            if (example.Exception is not null || example.Message is not null)
            {
                output.WriteLine($"  {PlainText.Show(example.Exception ?? "", 300)}: {PlainText.Show(example.Message ?? "", 500)}");
            }

            if (group.First is { } first && group.Last is { } last)
            {
                output.WriteLine(first == last ? $"  at {TimeOf(first)}" : $"  from {TimeOf(first)} to {TimeOf(last)}");
            }

            output.WriteLine(FormattableString.Invariant($"  example: message {group.Number}") + Named("attempts", example.Attempts)
                + Named("type", group.Type) + Named("id", group.MessageId));
        }

        WriteRest(output, limit);
        output.WriteLine($"{queue}: {TextTable.Number(Messages)} message(s) in {TextTable.Number(_groups.Count)} group(s)");
    }

    /// <summary>Writes a group as JSON.</summary>
    public void WriteJson(Action<Action<Utf8JsonWriter>> line, int limit)
    {
        foreach (ErrorGroup group in InOrder(limit))
        {
            ErrorFacts example = group.Example;
            line(writer =>
            {
                writer.WriteStartObject();
                writer.WriteString("group", group.Id);
                writer.WriteNumber("messages", group.Count);
                writer.WriteString("reason", example.Reason);
                writer.WriteString("queue", example.Queue);
                writer.WriteString("exception", example.Exception);
                writer.WriteString("message", example.Message);
                writer.WriteString("first", group.First is { } first ? TimeOf(first) : null);
                writer.WriteString("last", group.Last is { } last ? TimeOf(last) : null);
                writer.WriteStartObject("example");
                writer.WriteNumber("message", group.Number);
                writer.WritePropertyName("attempts");
                ValueTexts.Write(writer, example.Attempts);
                writer.WriteString("type", group.Type);
                writer.WriteString("message-id", group.MessageId);
                writer.WriteEndObject();
                writer.WriteEndObject();
            });
        }
    }

    private IEnumerable<ErrorGroup> InOrder(int limit) => _groups.Values.OrderByDescending(group => group.Count)
        .ThenBy(group => group.Number).Take(limit == 0 ? int.MaxValue : limit);

    private void WriteRest(TextWriter output, int limit)
    {
        if (limit > 0 && _groups.Count > limit)
        {
            output.WriteLine($"... {TextTable.Number(_groups.Count - limit)} more group(s), see --limit");
        }

        if (_others > 0)
        {
            output.WriteLine($"... {TextTable.Number(_others)} message(s) of further groups");
        }
    }

    private static string TimeOf(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'");

    private static string Named(string name, object? value) => value is null ? "" : $", {name} {ValueTexts.Show(value)}";
}
