namespace Actors.Trial;

/// <summary>Answers one of each kind of message.</summary>
internal sealed class Clerk : Actor
{
    private string _lastContent = "nothing";

    protected override void Receive(Message message, ActorRef? sender)
    {
        switch (message)
        {
            case Ping:
                sender?.Tell(new Echo(message, ReferenceEquals(message, Ping.Instance)), Self);
                break;
            case Introduction introduction:
                introduction.Who.Tell(introduction, Self);
                break;
            case Order order:
                throw new OutOfStockException(order.Article, left: order.Pieces - 1);
            case Parcel parcel:
                sender?.Tell(new Parcel(_lastContent), Self);
                _lastContent = parcel.Content.GetType().Name;
                break;
            default:
                throw new NotSupportedException($"The clerk has no use for a {message.GetType().Name}.");
        }
    }
}
