namespace Wire.RabbitMQ.Outbox.Tests.Killing;

/// <summary>Makes the project of the tests a program too, which is killed: the runner of tests does not begin here.</summary>
internal static class Program
{
    public static async Task<int> Main(string[] arguments)
    {
        await KilledShop.RunAsync(arguments);
        return 0;
    }
}
