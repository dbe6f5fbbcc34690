using Wire;

namespace Shop;

#region context
[WireContext]
[WireDerivedFrom(typeof(Message))] // all classes that derive from it, and what they hold
internal sealed partial class MessageTypes : WireTypes;
#endregion

/// <summary>The receiver once more, with what a native program may need.</summary>
internal static class WithContext
{
    public static void Run()
    {
        #region with context
        var serializer = new Serializer(new SerializerOptions
        {
            Types = MessageTypes.Default,
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
        });
        #endregion

        foreach (Message message in serializer.Deserialize<Message[]>(File.ReadAllBytes("messages.bin"))!)
        {
            Console.WriteLine(message);
        }
    }
}
