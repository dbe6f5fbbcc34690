using Wire;

namespace Versions;

/// <summary>What a release of the contract does in either service.</summary>
internal abstract class Service
{
    /// <summary>Gets what the service has reported of the other's contract.</summary>
    public List<SchemaDifference> Differences { get; } = [];

    /// <summary>Makes the shop's message: a purchase that is open.</summary>
    public abstract byte[] Order();

    /// <summary>Does the work of billing: reads the shop's message, and answers with the purchase as paid.</summary>
    public abstract byte[] Bill(byte[] payload);

    /// <summary>Reads the answer in the shop.</summary>
    public abstract string Read(byte[] payload);
}

/// <summary>A release with its type of a purchase.</summary>
internal abstract class Service<TPurchase> : Service
{
    protected Service()
    {
        Action<SchemaDifference> log = Differences.Add;
        #region differences
        var options = new SerializerOptions
        {
            SchemaDifference = difference => log(difference), // "Shop.Purchase ... unknown 'Coupon'"
        };
        #endregion

        Serializer = new Serializer(options with { Types = MessageTypes.Default });
    }

    protected Serializer Serializer { get; }

    public override byte[] Order() => Serializer.Serialize(Make());

    public override byte[] Bill(byte[] payload) => Serializer.Serialize(Pay(Serializer.Deserialize<TPurchase>(payload)!));

    public override string Read(byte[] payload) => Text(Serializer.Deserialize<TPurchase>(payload)!);

    protected abstract TPurchase Make();

    protected abstract TPurchase Pay(TPurchase purchase);

    protected abstract string Text(TPurchase purchase);
}
