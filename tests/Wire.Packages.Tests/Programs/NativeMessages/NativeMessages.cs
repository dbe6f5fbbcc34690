using Shop;
using Wire;

// Twenty types of messages, each written, read and written again; the exit code is the number of those that differ.
// first: writes and reads one of them. empty: nothing at all.
if (args is ["empty"])
{
    return 0;
}

var serializer = new Serializer(new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop"),
    Types = Messages.Default,
});
IMessage[] all = args is ["first"] ? Examples.All()[..1] : Examples.All();
int failed = 0;
foreach (IMessage message in all)
{
    byte[] payload = serializer.Serialize(message);
    IMessage copy = serializer.Deserialize<IMessage>(payload)!;
    if (copy.GetType() != message.GetType() || (all.Length > 1 && !serializer.Serialize(copy).AsSpan().SequenceEqual(payload)))
    {
        failed++;
        Console.WriteLine($"FAILED {message}");
    }
}

Console.WriteLine($"{all.Length} messages, {failed} failed");
return failed;

[WireContext]
[WireDerivedFrom(typeof(IMessage))]
internal sealed partial class Messages : WireTypes;
